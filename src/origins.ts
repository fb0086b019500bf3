// Same-origin policy: the origins under which browsers reach this service, from the settings and
// never from a request's Host.
import { isIP } from 'node:net'
import type { Settings } from './config/config.ts'

type Roots = Pick<Settings, 'base_url' | 'environment'>

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

/**
 * The one origin of pages, which is PUBLIC_URL's. A sandbox at a loopback address has its pages at
 * localhost, because passkeys need a domain (WebAuthn Level 3, section 5.1.2). Clients of the API
 * may use either.
 */
export function pageOrigin({ base_url, environment }: Roots): string {
  const url = new URL(base_url)
  const moved = environment === 'sandbox' && isLoopback(url.hostname) && isAddress(url.hostname)
  if (moved) url.hostname = 'localhost'
  return url.origin
}

/** The root under which browsers reach the pages, which may have a path. */
export function pageRoot(roots: Roots): string {
  const { origin } = new URL(roots.base_url)
  return pageOrigin(roots) + roots.base_url.slice(origin.length)
}

/**
 * The root to which a page moves that was requested from this Host: from a loopback address to
 * localhost, at the same port. It is null if the page is served here. Programs keep PUBLIC_URL.
 */
export function movedPageRoot(roots: Roots, host: string): string | null {
  const { hostname, port, protocol } = new URL(pageOrigin(roots))
  if (hostname !== 'localhost' || !URL.canParse(`${protocol}//${host}`)) return null
  const asked = new URL(`${protocol}//${host}`)
  const isElsewhere = asked.port !== port || !isLoopback(asked.hostname)
  return isElsewhere || !isAddress(asked.hostname) ? null : pageRoot(roots)
}

/** All origins that are this service: those of PUBLIC_URL and of its pages. */
export function ownOrigins(roots: Roots): ReadonlySet<string> {
  return new Set([new URL(roots.base_url).origin, pageOrigin(roots)])
}

/** The relying party's id for passkeys (WebAuthn), or null if pages are at an IP address. */
export function relyingPartyId(roots: Roots): string | null {
  const { hostname } = new URL(pageOrigin(roots))
  return isAddress(hostname) ? null : hostname
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/**
 * Whether only this machine reaches the service, because HOST and PUBLIC_URL are loopback
 * addresses.
 */
export function isOnLoopback({ host, base_url }: Pick<Settings, 'host' | 'base_url'>): boolean {
  const listens = host.includes(':') ? `[${host}]` : host
  return isLoopback(listens) && isLoopback(new URL(base_url).hostname)
}

/** The roots of links in mails. `dashboard_url` has no slash at its end. */
export function publicUrls(roots: Roots): { base_url: string; dashboard_url: string } {
  return { base_url: roots.base_url, dashboard_url: `${pageRoot(roots)}/dashboard` }
}
