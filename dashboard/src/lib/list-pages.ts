// The page of a list that its URL names. The functions are pure.
export const page_size = 50

type Page<T> = { items: T[]; number: number; count: number; first: number; last: number }

/**
 * `asked` is text of a URL. If it names no page, the nearest one is shown, so that a search never
 * shows an empty page.
 */
export function pageOf<T>(all: readonly T[], asked: string): Page<T> {
  const count = Math.max(1, Math.ceil(all.length / page_size))
  const wanted = /^\d{1,6}$/.test(asked) ? Number(asked) : 1
  const number = Math.min(Math.max(1, wanted), count)
  const start = (number - 1) * page_size
  const items = all.slice(start, start + page_size)
  return { items, number, count, first: start + 1, last: start + items.length }
}
