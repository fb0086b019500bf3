// Where an answer to an authorization may be sent: what a client may register. Once registered, a
// URI is compared as it stands; only the port of "http" on a loopback host may vary (RFC 8252
// section 7.3, which oidc-provider holds for native clients).

export const mostRedirectUris = 10
export const mostUriLength = 2000

/** Where http is as good as https: it does not leave the machine. */
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

// Schemes that a browser or an operating system gives a meaning to, so that a program cannot have
// one of its own under that name: an address there runs, opens, calls or tells something.
const taken = new Set(
  `about blob data file filesystem jar javascript jscript livescript mocha resource vbs vbscript
  view-source wyciwyg x-javascript brave opera vivaldi
  cid dav dict dns ftp ftps geo git gopher http https icap imap info intent ipp ipps irc ircs ldap
  ldaps magnet mid mms mysql news nfs nntp pop rdp res rlogin rmi rsync rtmp rtsp sftp shell smb
  snmp soap ssh stun svn telnet tftp tip turn udp unix urn vnc wais ws wss xmpp
  callto facetime fax mailto market sip sips sms smsto tel`.split(/\s+/),
)
// Each of them starts some program with what the rest of the address says.
const takenBeginnings = [/^ms-/, /^search-ms/, /^chrome/, /^moz-/, /^edge/, /^itms-/, /^x-apple/]

/** RFC 3986's characters, without "#": a fragment is refused in words of its own. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?@!$&'()*+,;=%[\]]+$/

export type RedirectVerdict =
  | { kind: 'web' | 'loopback' | 'private_use'; uri: string }
  | { kind: 'refused'; why: string }

/**
 * Reads one redirect URI, or says why it may not be registered: ASCII words without quotes, as
 * RFC 6749 section 5.2 wants them in `error_description`. `private_use` is a scheme of a program's
 * own (RFC 8252 section 7.1).
 */
export function readRedirect(uri: unknown): RedirectVerdict {
  if (typeof uri !== 'string' || uri === '') return refused('is not a text')
  if (uri.length > mostUriLength) return refused(`is longer than ${mostUriLength} characters`)
  if (uri.includes('#')) return refused('has a fragment')
  const url = uriCharacters.test(uri) ? URL.parse(uri) : null
  if (url === null) return refused('is not a URI (RFC 3986)')
  const scheme = url.protocol.slice(0, -1)
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@'))
    return refused('names a user')
  if (scheme !== 'http' && scheme !== 'https') return readPrivateUse(uri, url)
  // What a browser would make of it is what stands there: no 0x7f.1 for 127.0.0.1, no dot segments.
  if (!isNormal(uri, url)) return refused(`must be written in its normal form, ${url.href}`)
  if (url.hostname.includes('*')) return refused('has a wildcard in its host')
  const local = loopback.has(url.hostname)
  if (scheme === 'http' && !local)
    return refused('uses http and is not on localhost, 127.0.0.1 or [::1]; use https')
  // A certificate for it is nobody's, and the port of such a URI could not vary.
  if (scheme === 'https' && local) return refused('uses https on a loopback host; use http')
  return { kind: local ? 'loopback' : 'web', uri }
}

function readPrivateUse(uri: string, url: URL): RedirectVerdict {
  const scheme = url.protocol.slice(0, -1)
  if (taken.has(scheme) || takenBeginnings.some((beginning) => beginning.test(scheme)))
    return refused(`uses the scheme ${scheme}, which is not a program's own`)
  if (!isNormal(uri, url)) return refused('must be written in its normal form')
  // "app:x" has no place in it; and what comes after the colon might be taken for another URI.
  if (!uri.startsWith(`${scheme}:/`)) return refused('must have a slash after its scheme')
  if (url.host.includes('*')) return refused('has a wildcard in its host')
  return { kind: 'private_use', uri }
}

/** An origin without its final slash is as good. */
function isNormal(uri: string, url: URL): boolean {
  return url.href === uri || url.href === `${uri}/`
}

function authorityOf(uri: string): string {
  return /^[^:]*:\/\/([^/?]*)/.exec(uri)?.[1] ?? ''
}

function refused(why: string): RedirectVerdict {
  return { kind: 'refused', why }
}
