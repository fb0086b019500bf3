// Validates redirect URIs for registration. Registered URIs are compared exactly; only the port of
// "http" on a loopback host may vary (RFC 8252 section 7.3, which oidc-provider implements for
// native clients).
import { isIP } from 'node:net'
import { parseHost } from '../../kit/net/host.ts'

export const maxRedirectUris = 10
export const maxUriLength = 2000

/** Hosts where http is accepted, because it does not leave the machine. */
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

// Schemes that browsers, operating systems or common apps give a meaning to: such a URI runs,
// opens, calls, pays or sends something, and the code would not reach the client that registered
// it.
const reservedSchemes = new Set(
  `about afp apk app-prefs app-settings apt bip bitcoin blob bluetooth brave callto cid content
  data dav dict dns edge ethereum facetime facetime-audio fax fido file filesystem finger
  firefox ftp ftps geo git gopher gtalk hcp help icap im imap info intent ipp ipps irc irc6 ircs
  jar javascript jms ldap ldaps lightning magnet mailto maps market mid mk mms monero msteams
  news nfs nntp notes opaquelocktoken opera otpauth pay payto photos pop prefs prefs-root rdp
  res resource rlogin rmi rsync rtmp rtsp rtsps safari sftp sgnl shell shortcuts signal sip sips
  skype smb sms smsto snmp soap ssh steam stun stuns svn tel telegram telnet telprompt tftp tg
  tip turn turns udp unix upi urn ux viber vivaldi vnc wais wallet webcal webdav wechat weixin
  whatsapp workflow ws wss wyciwyg xmpp zoommtg zoomus`.split(/\s+/),
)
// Patterns of such schemes: other apps are started by the rest of the URI, a page is opened at
// another address than the owner was shown ("x-safari-https", "googlechrome"), a script is run.
const reservedPatterns = [
  /^(android|apple|chromium|itms|moz|ms|search|windows|x-apple|x-callback|x-web)\b/,
  /^(ext|git|svn|web)\+/,
  /^(intent|itms|microsoft|view-?source)/,
  /chrome|firefox|safari|https?$/,
  /script$/,
  /^(vb|j)s$|^mocha$/,
]

/** The characters of RFC 3986 without "#", because a fragment is rejected in words of its own. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?@!$&'()*+,;=%[\]]+$/

type RedirectUriResult =
  | { kind: 'web' | 'loopback' | 'private_use'; uri: string }
  | { kind: 'refused'; why: string }

/**
 * Validates one redirect URI, or says why it is rejected, in ASCII words without quotes, as RFC
 * 6749 section 5.2 requires in `error_description`. `private_use` says that its scheme is a
 * private-use URI scheme (RFC 8252 section 7.1).
 */
export function parseRedirectUri(uri: unknown): RedirectUriResult {
  if (typeof uri !== 'string' || uri === '') return refused('is not a text')
  if (uri.length > maxUriLength) return refused(`is longer than ${maxUriLength} characters`)
  if (uri.includes('#')) return refused('has a fragment')
  const url = uriCharacters.test(uri) ? URL.parse(uri) : null
  if (url === null) return refused('is not a URI (RFC 3986)')
  const scheme = url.protocol.slice(0, -1)
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@'))
    return refused('names a user')
  if (scheme !== 'http' && scheme !== 'https') return parsePrivateUse(uri, url)
  // The URI must be exactly as a browser would normalize it, without 0x7f.1 for 127.0.0.1 or dot
  // segments.
  if (!isNormal(uri, url)) return refused(`must be written in its normal form, ${url.href}`)
  if (url.hostname.includes('*')) return refused('has a wildcard in its host')
  // Browsers accept a host with ";" or "'" in it, and a final dot as another name of the same host.
  if (!isHost(url.hostname)) return refused('has no host name or address in its place')
  const local = loopback.has(url.hostname)
  if (scheme === 'http' && !local)
    return refused('uses http and is not on localhost, 127.0.0.1 or [::1]; use https')
  // No certificate is issued for such a host, and the port of the URI could not vary.
  if (scheme === 'https' && local) return refused('uses https on a loopback host; use http')
  return { kind: local ? 'loopback' : 'web', uri }
}

function parsePrivateUse(uri: string, url: URL): RedirectUriResult {
  const scheme = url.protocol.slice(0, -1)
  if (isReserved(scheme)) return refused(`uses the scheme ${scheme}, which is not an app's own`)
  if (!isNormal(uri, url)) return refused('must be written in its normal form')
  // "app:x" has no path, and the rest might be taken for another URI.
  if (!uri.startsWith(`${scheme}:/`)) return refused('must have a slash after its scheme')
  if (url.host.includes('*')) return refused('has a wildcard in its host')
  if (!/^[A-Za-z0-9.:_-]*$/.test(url.host)) return refused('has no name in the place of its host')
  return { kind: 'private_use', uri }
}

/** A reverse domain name (RFC 8252 section 7.1) belongs to the owner of the domain. */
function isReserved(scheme: string): boolean {
  if (/^([a-z]{2,}|xn--[a-z0-9-]+)(\.[a-z0-9-]+)+$/.test(scheme)) return false
  return reservedSchemes.has(scheme) || reservedPatterns.some((part) => part.test(scheme))
}

function isHost(hostname: string): boolean {
  return parseHost(hostname) === hostname || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** An origin without its final slash is accepted. */
function isNormal(uri: string, url: URL): boolean {
  return url.href === uri || url.href === `${uri}/`
}

function authorityOf(uri: string): string {
  return /^[^:]*:\/\/([^/?]*)/.exec(uri)?.[1] ?? ''
}

function refused(why: string): RedirectUriResult {
  return { kind: 'refused', why }
}
