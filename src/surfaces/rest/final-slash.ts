// URL normalization, so that the MCP endpoint and its metadata are found with a slash behind them,
// too.
import type { Settings } from '../../config/config.ts'

/** Paths that clients write with a slash behind them: the MCP endpoint and its metadata. */
export function slashedPaths({ mcp_url }: Settings): ReadonlySet<string> {
  const { pathname } = new URL(`${mcp_url}/mcp`)
  const metadata = ['oauth-protected-resource', 'oauth-authorization-server'].flatMap((name) =>
    [pathname, '/mcp'].map((path) => `/.well-known/${name}${path}/`),
  )
  return new Set([`${pathname}/`, ...metadata])
}

/** The URL of the same resource without the slash. */
export function withoutFinalSlash(url: string, slashed: ReadonlySet<string>): string {
  const [path = ''] = url.split('?', 1)
  return slashed.has(path) ? path.slice(0, -1) + url.slice(path.length) : url
}
