// What this browser keeps for the page: until the page is left, where it lets pages keep nothing.

function storage() {
  try {
    localStorage.getItem("");
    return localStorage;
  } catch {
    const kept = new Map();
    return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) };
  }
}

export const store = storage();
