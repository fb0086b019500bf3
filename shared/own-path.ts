// Paths to which a log-in may return: the service checks the path that it stores, and the dashboard
// the path in its address.

const longest = 2_000
// A browser reads "\" as "/", and drops tabs and line breaks (WHATWG URL, section 4.4).
const misread = /[\\\p{Cc}\p{White_Space}]/u

/**
 * The path, query and fragment at one of the origins, in the form in which a browser reads them, or
 * undefined if it leads elsewhere. `root` is the origin of paths.
 */
export function pathAt(
  root: string,
  origins: ReadonlySet<string>,
  given: string,
): string | undefined {
  if (given.length > longest || misread.test(given) || !/^(\/(?!\/)|https?:\/\/)/.test(given))
    return undefined
  if (!URL.canParse(given, root)) return undefined
  const url = new URL(given, root)
  const path = url.pathname + url.search + url.hash
  // "/.//a.example" is a path here, but becomes "//a.example" once it is read.
  const isOurs = origins.has(url.origin) && !url.username && !url.password
  return isOurs && !path.startsWith('//') ? path : undefined
}
