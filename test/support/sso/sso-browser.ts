// A browser that logs in through an identity provider: it keeps the cookie, and follows the
// provider's redirects.

import type { Answer, TestService } from '../service.ts'
import { cookieOf } from '../sign-in.ts'

type Started = { url: URL; state: string }
export type SsoBrowser = {
  cookie: () => string
  start: (provider: string, body?: object, headers?: Record<string, string>) => Promise<Started>
  /** Path and query of the callback, as the provider sends the browser there. */
  agree: (started: Started) => Promise<string>
  open: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** Start, agreement and callback. */
  ticket: (provider: string) => Promise<string>
  exchange: (body: object, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: object, headers?: Record<string, string>) => Promise<Answer>
}

export function ssoBrowser(registrar: TestService): SsoBrowser {
  let cookie = ''
  const send = (headers: Record<string, string>) =>
    cookie === '' ? headers : { cookie, ...headers }
  const browser: SsoBrowser = {
    cookie: () => cookie,
    async start(provider, body = {}, headers = {}) {
      const path = `/v1/dashboard/sso/${provider}/start`
      const answer = await browser.post(path, body, headers)
      if (answer.status !== 200) throw new Error(answer.text)
      cookie = cookieOf(answer.headers)
      return { url: new URL(answer.body.authorization_url), state: answer.body.state }
    },
    async agree({ url }) {
      const response = await fetch(url, { redirect: 'manual' })
      const back = new URL(response.headers.get('location') ?? '')
      return back.pathname + back.search
    },
    open: (path, headers = {}) => registrar.request('GET', path, { headers: send(headers) }),
    async ticket(provider) {
      const answer = await browser.open(await browser.agree(await browser.start(provider)))
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.ticket
    },
    exchange: (body, headers = {}) => browser.post('/v1/dashboard/sso/exchange', body, headers),
    post: (path, body, headers = {}) =>
      registrar.request('POST', path, { body, headers: send(headers) }),
  }
  return browser
}
