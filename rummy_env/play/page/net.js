// Requests, and the socket of a seat that comes back by itself.

/** Asks the server; an error of it is thrown with its words, `refused` if asking again is no use. */
export async function ask(path, body = undefined) {
  const init = body === undefined ? {} : {
    method: "POST",
    body: body instanceof Blob ? body : JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  };
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Error("the server does not answer: is it still running?");
  }
  const told = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(told.error ?? `the server answered ${answer.status}`), { refused: answer.status === 400 });
  return told;
}

/** The code with which the server closes a socket that has no seat. */
const GONE = 4000;

/** A secret that nobody guesses. */
export function secret() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The socket of a seat. It sits down by a token, and by a secret of its own, which replaces the
 * token of a link; the same two lead back where the connection was lost before the answer. It tells every message to `heard`, whether it is open to `changed`, and why
 * it has no seat, if the server says so, to `gone`: then it does not come back.
 */
export class SeatSocket {
  constructor(token, own, { heard, changed, gone }) {
    this.token = token;
    this.own = own;
    this.heard = heard;
    this.changed = changed;
    this.gone = gone;
    this.wait = 250;
    this.ended = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.onopen = () => {
      this.socket.send(JSON.stringify({ type: "sit", token: this.token, own: this.own }));
    };
    let seated = false, refusal = "";
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "seated") {
        seated = true;
        this.token = message.token;
        this.wait = 250;
        this.changed(true);
      }
      if (seated) this.heard(message);
      else refusal = message.why;
    };
    this.socket.onclose = (event) => {
      if (this.ended) return;
      if (event.code === GONE) {
        this.gone(refusal);
        return;
      }
      this.changed(false);
      setTimeout(() => this.ended || this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 4000);
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.ended = true;
    this.socket.close();
  }
}
