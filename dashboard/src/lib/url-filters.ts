// Filters of a list in the URL of its page, so that links and the back button keep them. A change
// replaces the entry in the history.
import { useSearchParams } from 'wouter'

export function useUrlFilters() {
  const [search, setSearch] = useSearchParams()
  return {
    /** The text of a filter; an empty one filters nothing. */
    textOf: (name: string) => search.get(name) ?? '',
    set: (name: string, value: string) =>
      setSearch(
        (old) => {
          const next = new URLSearchParams(old)
          if (value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  }
}
