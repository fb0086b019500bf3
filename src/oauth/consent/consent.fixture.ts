// An OAuth client and a browser, request by request, for tests of the consent page, including
// attacks.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import {
  type Choice,
  type Form,
  formOf,
  isLogIn,
  type Login,
} from '../../../test/support/browser.ts'
import { exchange, type Sending } from '../../../test/support/http.ts'
import { filledIn, type Owner } from '../../../test/support/owner.ts'
import type { TestService } from '../../../test/support/service.ts'

export const callback = 'http://127.0.0.1:43117/callback'

/** A client that registered itself. `url` asks for an authorization; `redeem` redeems its code. */
export type TestClient = {
  client_id: string
  url: (asked?: Record<string, string>) => URL
  redeem: (code: string | null) => Promise<{ status: number; body: Record<string, unknown> }>
}

export async function newClient(
  registrar: TestService,
  extra: Record<string, unknown> = {},
): Promise<TestClient> {
  const metadata = { client_name: 'Test program', redirect_uris: [callback], ...extra }
  const { status, body } = await registrar.request('POST', '/oauth/register', { body: metadata })
  assert.equal(status, 201)
  const client_id: string = body.client_id
  const redirect_uri: string = body.redirect_uris[0]
  const verifier = randomBytes(32).toString('base64url')
  return {
    client_id,
    url(asked = {}) {
      const url = new URL('/oauth/authorize', registrar.url)
      const fields = {
        client_id,
        redirect_uri,
        response_type: 'code',
        scope: 'domains:read domains:purchase keys:write',
        state: 'st4te',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...asked,
      }
      url.search = new URLSearchParams(fields).toString()
      return url
    },
    async redeem(code) {
      const { status, text } = await exchange(new URL('/oauth/token', registrar.url), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: code ?? '',
          client_id,
          redirect_uri,
          code_verifier: verifier,
        }),
      })
      return { status, body: Object(JSON.parse(text)) }
    },
  }
}

export type Seen = { status: number; headers: Headers; text: string; location: string | null }

type Sent = { headers?: Record<string, string>; more?: [string, string][] }
const none: Seen = { status: 200, headers: new Headers(), text: '', location: null }

/** One browser: keeps cookies, follows no redirect automatically, and sends the given headers. */
export class Visitor {
  /** The cookies by name and path, because each authorization has a resume cookie of its own. */
  readonly cookies = new Map<string, { pair: string; path: string }>()
  readonly #registrar: TestService

  constructor(registrar: TestService) {
    this.#registrar = registrar
  }

  open(url: URL | string, headers: Record<string, string> = {}): Promise<Seen> {
    return this.#ask(url, { headers })
  }

  submit(fields: [string, string][], headers: Record<string, string> = {}): Promise<Seen> {
    return this.send({ body: new URLSearchParams(fields), headers })
  }

  send(init: Sending): Promise<Seen> {
    return this.#ask('/oauth/authorize', { method: 'POST', ...init })
  }

  /** Opens an authorization request, up to the consent page. */
  async page(url: URL): Promise<Seen & { form: Form }> {
    const redirect = await this.open(url)
    assert.equal(redirect.status, 303, redirect.text)
    const seen = await this.open(redirect.location ?? '')
    return { ...seen, form: formIn(seen) }
  }

  /** Logs in where the form asks for it, and decides on the page that follows. */
  async decide(form: Form, login: Login, given: Choice & Sent = {}): Promise<Seen> {
    const { headers = {}, more = [], ...choice } = given
    const seen = await this.logIn(form, login, given)
    if (!('form' in seen)) return seen
    return this.submit([...filledIn(seen.form, login, choice), ...more], headers)
  }

  /**
   * Goes on up to the consent. A page that shows why there is none has no form, and nor has the
   * redirect of a denial.
   */
  async logIn(
    form: Form,
    login: Login,
    { headers = {}, decision }: Choice & Sent = {},
  ): Promise<(Seen & { form: Form }) | Seen> {
    if (!isLogIn(form)) return { ...none, form }
    const choice = decision === 'deny' ? { decision } : {}
    const seen = await this.submit(filledIn(form, login, choice), headers)
    if (seen.status !== 303 || decision === 'deny') return seen
    const page = await this.open(seen.location ?? '', headers)
    const next = page.status === 200 ? formIn(page) : null
    return next && !isLogIn(next) ? { ...page, form: next } : page
  }

  /** The consent page of an authorization request, logged in. */
  async consentPage(url: URL, login: Login): Promise<Seen & { form: Form }> {
    const page = await this.page(url)
    if (!isLogIn(page.form)) return page
    const consent = await this.logIn(page.form, login)
    assert.ok('form' in consent, consent.text)
    return consent
  }

  /** Presses a button of the form, and opens the page that follows it. */
  async press(form: Form, decision: string, typed: Record<string, string> = {}): Promise<Seen> {
    const hidden = form.inputs.filter(({ type, name }) => type === 'hidden' && !(name in typed))
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    const all: [string, string][] = [...fields, ...Object.entries(typed), ['decision', decision]]
    const seen = await this.submit(all)
    const isOwn = seen.location?.startsWith('/oauth/authorize?interaction=') ?? false
    return isOwn ? this.open(seen.location ?? '') : seen
  }

  /** Follows our own redirects until the first to another site. */
  async leave(first: Seen): Promise<URL> {
    let seen = first
    for (;;) {
      assert.equal(seen.status, 303, seen.text)
      const next = new URL(seen.location ?? '', this.#registrar.url)
      if (next.origin !== new URL(this.#registrar.url).origin) return next
      seen = await this.open(next)
    }
  }

  async #ask(to: URL | string, init: Sending): Promise<Seen> {
    const url = new URL(to, this.#registrar.url)
    const own = [...this.cookies.values()].filter(({ path }) => url.pathname.startsWith(path))
    const cookie = own.map(({ pair }) => pair).join('; ')
    const headers = { cookie, ...Object(init.headers) }
    const { status, headers: fields, text } = await exchange(url, { ...init, headers })
    for (const line of fields.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/'
      if (value === '') this.cookies.delete(`${name} ${path}`)
      else this.cookies.set(`${name} ${path}`, { pair: `${name}=${value}`, path })
    }
    return { status, headers: fields, text, location: fields.get('location') }
  }
}

export function newVisitor(registrar: TestService): Visitor {
  return new Visitor(registrar)
}

export function formIn({ text }: Pick<Seen, 'text'>): Form {
  const form = formOf(text, new URL('http://any/oauth/authorize'))
  assert.ok(form, text)
  return form
}

type Consenting = { client: TestClient; owner: Owner; visitor: Visitor; scopes: readonly string[] }

/** The whole flow to a token, with these scopes selected. */
export async function connected(
  { client, owner, visitor, scopes }: Consenting,
  asked: Record<string, string> = {},
) {
  const scope = asked.scope ?? scopes.join(' ')
  const { form } = await visitor.page(client.url({ ...asked, scope }))
  const answer = await visitor.decide(form, owner, { scopes })
  const away = await visitor.leave(answer)
  const { status, body } = await client.redeem(away.searchParams.get('code'))
  assert.equal(status, 200, JSON.stringify(body))
  return { token: String(body.access_token), body }
}

export function isPage({ status, text }: Seen, wanted: number, words: RegExp): void {
  assert.equal(status, wanted, text)
  assert.match(text, words)
}
