"""Slow reference engines, written from the rule documents alone, to hold the fast core against.

Their comments cite these documents, which are not in the repository, as "rules.md" by section and
as "seeds". The pages in docs/rules have the same rules:

- sections 1 to 4, 7 and 8: basic.md, bonus.md and classic.md;
- sections 5 and 5.1: going_out.md; section 5.2: rummy_cards.md;
- section 6: gin.md; section 9: rummy500.md.
"""
