// Sanitised display of untrusted client metadata: one short line without control characters or
// look-alikes, and the actual destination of a redirect URI.

const longest = 80
// The longest name, which fits on one line of an email together with its mark.
const longest_name = 60
// Every character that opens or closes a quotation in some script, or looks like one that does.
const lookalikes = '`\u00b4\u02b9-\u02bf\u02ca\u02cb\u02dd\u02ee\u02f4-\u02f6\u2032-\u2037\u2057'
const ornaments = '\u275b-\u2760\u276e\u276f\u{1f676}-\u{1f678}'
const quote = new RegExp(`[\\p{Quotation_Mark}\\p{Pi}\\p{Pf}${lookalikes}${ornaments}]`, 'gu')
const apostrophe = /(?<=\p{L})['\u2019\u02bc](?=\p{L})/gu
// Letters of Unicode that are invisible, which are fillers and the empty braille cell.
const blank = /[\u115f\u1160\u3164\uffa0\u2800]/gu

/** The text as one line of at most 80 characters, or empty when nothing of it can be seen. */
export function displayText(text: string): string {
  return cut(normalizeName(text.replaceAll(blank, ' ')), longest)
}

/**
 * A client's name for itself, as one line of at most 60 characters without quotation marks, so that
 * it cannot end a quotation and continue as our own text. It is never part of a sentence of ours,
 * and is set apart where it is shown.
 */
export function displayName(text: string): string {
  const line = normalizeName(text.replaceAll(blank, ' '))
  // An apostrophe inside a word stays, because it ends no quotation.
  const words = line.split(apostrophe).map((part) => part.replaceAll(quote, ' '))
  return cut(words.join("'").replaceAll(/ +/g, ' ').trim(), longest_name)
}

function cut(line: string, most: number): string {
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 3).join('')}...`
}

/** A client as pages and emails show it. */
export type ClientDisplay = {
  name: string
  /** The host of its metadata document, or null for a registered client. */
  id_host: string | null
  /** The website that it claims as its own. */
  uri: string | null
}
type ClientFacts = {
  client_id: string
  client_name?: string | undefined
  client_uri?: string | undefined
}

export function displayClient({ client_id, client_name, client_uri }: ClientFacts): ClientDisplay {
  const url = URL.parse(client_id)
  const id_host = url?.protocol === 'https:' ? url.host : null
  const name = displayName(client_name ?? '')
  const uri = displayText(client_uri ?? '')
  return {
    name: name === '' ? (id_host ?? 'Unnamed app') : name,
    id_host,
    uri: uri === '' ? null : uri,
  }
}

/** The place to which the browser goes with the code. */
export type Destination = {
  kind: 'computer' | 'site' | 'app' | 'device'
  /**
   * The host of a site, "127.0.0.1:7777" for an app on this computer, or "cursor:" for an app's
   * scheme.
   */
  host: string
  /** The host for the list of grants, without the port of a loopback host, which varies. */
  redirect_host: string
  /** The source for form-action of Content-Security-Policy. */
  csp_source: string
}

/**
 * The destination of the device flow, where the browser goes nowhere and the program polls for its
 * tokens. No host has this name.
 */
export const deviceDestination: Destination = {
  kind: 'device',
  host: '',
  redirect_host: 'device code',
  csp_source: "'self'",
}

/**
 * The destination of a redirect URI that was validated already, or of the device flow for null.
 * Throws for text that is no URI.
 */
export function destinationOf(redirect_uri: string | null): Destination {
  if (redirect_uri === null) return deviceDestination
  const { protocol, hostname, host, origin } = new URL(redirect_uri)
  if (protocol !== 'http:' && protocol !== 'https:') {
    const scheme = displayText(protocol)
    return { kind: 'app', host: scheme, redirect_host: scheme, csp_source: protocol }
  }
  // A source of a policy cannot contain an IPv6 address (CSP 3 section 2.3.1), and a host could
  // contain ";" and ",", which end a directive and a policy.
  const csp_source = /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return loopback
    ? { kind: 'computer', host, redirect_host: hostname, csp_source }
    : { kind: 'site', host, redirect_host: host.slice(0, 300), csp_source }
}

// Characters that are not seen: control and format characters (bidirectional ones, zero-width ones,
// tags), private and unassigned ones.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu
// Stacked combining marks would reach over the lines above them.
const heapedMarks = /(\p{M}{3})\p{M}+/gu

/** A name as one line without invisible characters, or '' where nothing is left of it. */
export function normalizeName(name: string): string {
  const spaced = name.replaceAll(/\s+/gu, ' ').replaceAll(unseen, '')
  return spaced.normalize('NFC').replaceAll(heapedMarks, '$1').replaceAll(/ +/g, ' ').trim()
}
