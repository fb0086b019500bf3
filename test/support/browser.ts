// A browser without scripts at one site: cookies, redirects followed by hand, forms of our plain
// HTML pages read and filled in.
import assert from 'node:assert/strict'
import { exchange } from './http.ts'

export type Choice = {
  /** The boxes that are checked in the end; as the page proposes if not given. */
  scopes?: readonly string[]
  decision?: 'allow' | 'deny'
}
export type Login = { email: string; password: string }
type Cookie = { name: string; value: string; path: string }
type Page = { url: URL; status: number; headers: Headers; text: string }
type Arrival = { page: Page } | { away: URL }

/** Remembers cookies of one site by name and path (RFC 6265 without domains). */
class Jar {
  #cookies: Cookie[] = []

  header(url: URL): Record<string, string> {
    const fit = this.#cookies.filter(({ path }) => url.pathname.startsWith(path))
    return fit.length === 0
      ? {}
      : { cookie: fit.map(({ name, value }) => `${name}=${value}`).join('; ') }
  }

  keep(lines: readonly string[], url: URL): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name = '', ...rest] = pair.split('=')
      const of = (key: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
      const path = of('path') ?? url.pathname.replace(/[^/]*$/, '')
      const expires = of('expires')
      const ends =
        of('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now())
      this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path)
      if (!ends) this.#cookies.push({ name, value: rest.join('='), path })
    }
  }
}

/**
 * A browser that stays at one site, whose requests are served at `place`, of one node or many.
 * `fields`: header fields of each request, as of a proxy.
 */
export function openBrowser(
  site: string,
  place: () => string = () => site,
  fields: Readonly<Record<string, string>> = {},
) {
  const jar = new Jar()

  async function go(start: URL, body?: URLSearchParams): Promise<Arrival> {
    let url = start
    for (let step = 0; step < 10; step += 1) {
      if (url.origin !== new URL(site).origin) return { away: url }
      const response = await exchange(new URL(`${url.pathname}${url.search}`, place()), {
        headers: { ...fields, ...jar.header(url), origin: site, accept: 'text/html' },
        // A POST is not repeated by a redirect: every redirect of ours is a 303.
        ...(body && step === 0 ? { method: 'POST', body } : {}),
      })
      jar.keep(response.headers.getSetCookie(), url)
      const { text } = response
      const location = response.headers.get('location')
      const next = location === null ? onwardOf(text, url) : new URL(location, url)
      if (location !== null) assert.ok([302, 303].includes(response.status), `${response.status}`)
      if (next === undefined)
        return { page: { url, status: response.status, headers: response.headers, text } }
      url = next
    }
    throw new Error(`${start} redirects without end`)
  }

  return {
    open: (url: string | URL) => go(new URL(url)),
    submit: ({ action }: Form, fields: [string, string][]) =>
      go(action, new URLSearchParams(fields)),
  }
}

function formIn({ url, status, text }: Page): Form {
  const form = formOf(text, url)
  assert.ok(form && status === 200, `${status} at ${url}: ${text}`)
  return form
}

function hiddenIn({ inputs }: Form): [string, string][] {
  return inputs.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value])
}

const buttonsOf = ({ inputs }: Form) =>
  inputs.filter(({ name }) => name === 'decision').map(({ value }) => value)

/** Whether the form is that of the log-in, which comes before the consent. */
export function isLogIn(form: Form): boolean {
  return buttonsOf(form).includes('log_in')
}

/** The proposed preset; all that is requested where none is proposed, as permissions are new. */
function presetOf({ inputs }: Form): string | undefined {
  const presets = inputs.filter(({ type }) => type === 'radio')
  return (presets.find(({ checked }) => checked) ?? presets.find(isAll))?.value
}

const isAll = ({ value }: Input) => value === 'extend'

/** The form of the log-in or of the consent, as it is filled in. */
export function filledIn(form: Form, owner: Login, choice: Choice): [string, string][] {
  const { inputs } = form
  const { scopes, decision = isLogIn(form) ? 'log_in' : 'allow' } = choice
  assert.ok(buttonsOf(form).includes(decision), decision)
  const preset = scopes ? 'custom' : presetOf(form)
  const typed: Record<string, string> = { email: owner.email, password: owner.password }
  const filled = inputs.flatMap(({ type, name, value, checked }): [string, string][] => {
    if (name in typed) return [[name, typed[name] ?? '']]
    if (type === 'radio') return value === preset ? [[name, value]] : []
    const isChecked = scopes?.includes(value) ?? checked
    return type === 'checkbox' && isChecked ? [[name, value]] : []
  })
  return [...hiddenIn(form), ...filled, ['decision', decision]]
}

export type Browser = ReturnType<typeof openBrowser>
type Decision = { login: Login; choice?: Choice }

/**
 * Opens what a client asks for, logs in where it must, decides. Answers where the browser is sent
 * in the end, which is the client's and is not opened.
 */
export async function decideIn(
  browser: Browser,
  authorizeUrl: string | URL,
  { login, choice = {} }: Decision,
): Promise<URL> {
  const shown = await browser.open(authorizeUrl)
  // An invalid request is answered to the client at once.
  if ('away' in shown) return shown.away
  const ended = await decideAt(browser, formIn(shown.page), { login, choice })
  assert.ok('away' in ended, 'page' in ended ? ended.page.text : '')
  return ended.away
}

/** Logs in where the form asks for it, then decides. Answers where that ends. */
export async function decideAt(
  browser: Browser,
  form: Form,
  { login, choice = {} }: Decision,
): Promise<Arrival> {
  const ended = await browser.submit(form, filledIn(form, login, choice))
  if (!isLogIn(form) || 'away' in ended) return ended
  const consent = formOf(ended.page.text, ended.page.url)
  if (!consent || ended.page.status !== 200 || isLogIn(consent)) return ended
  return browser.submit(consent, filledIn(consent, login, choice))
}

type Input = { type: string; name: string; value: string; checked: boolean }
export type Form = { action: URL; inputs: Input[] }

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(#\d+|#x[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
    return named[name] ?? whole
  })
}

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi)
  return new Map([...found].map(([, name = '', value = '']) => [name, decode(value)]))
}

function inputOf(tag: string): Input {
  const attributes = attributesOf(tag)
  const type = tag.startsWith('<button') ? 'submit' : (attributes.get('type') ?? 'text')
  const name = attributes.get('name') ?? ''
  // A box without a value sends "on".
  const value = attributes.get('value') ?? (type === 'checkbox' ? 'on' : '')
  return { type, name, value, checked: attributes.has('checked') }
}

/** The only form of a page; undefined for a page without one. Throws for more. */
export function formOf(page: string, url: URL): Form | undefined {
  const [form, ...others] = page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)
  if (!form) return undefined
  if (others.length > 0) throw new Error(`${url} has more than one form`)
  const [, opening = '', inside = ''] = form
  const action = new URL(attributesOf(opening).get('action') ?? '', url)
  const tags = inside.match(/<(?:input|button)\b[^>]*>/g) ?? []
  return { action, inputs: tags.map(inputOf) }
}

/** Where a page redirects the browser; undefined for one that stays. */
function onwardOf(page: string, url: URL): URL | undefined {
  const tag = /<meta http-equiv="refresh"[^>]*>/.exec(page)?.[0]
  const target = tag && /url=(.*)$/.exec(attributesOf(tag).get('content') ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, url)
}
