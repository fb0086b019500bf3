// The page of a list that its URL names. Pure.
export const page_size = 50

type Page<T> = { items: T[]; number: number; count: number; first: number; last: number }

/**
 * `asked` is text of a URL: one that names no page is the nearest, so a search never shows none.
 */
export function pageOf<T>(all: readonly T[], asked: string): Page<T> {
  const count = Math.max(1, Math.ceil(all.length / page_size))
  const wanted = /^\d{1,6}$/.test(asked) ? Number(asked) : 1
  const number = Math.min(Math.max(1, wanted), count)
  const start = (number - 1) * page_size
  const items = all.slice(start, start + page_size)
  return { items, number, count, first: start + 1, last: start + items.length }
}
