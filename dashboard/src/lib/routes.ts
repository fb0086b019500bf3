// Routes below /dashboard: every path of the application, and the functions that fill them in.
export const routes = {
  home: '/',
  logIn: '/log-in',
  signUp: '/sign-up',
  verifySignUp: '/sign-up/verify',
  mailbox: '/mailbox',
  sso: '/sso',
  forgottenPassword: '/password/forgotten',
  account: '/account',
  security: '/account/security',
  yourData: '/account/data',
  accountClosed: '/account/closed',
  verifyEmail: '/email/verify',
  domains: '/domains',
  transferIn: '/domains/transfer',
  domain: '/domains/:domain',
  dns: '/domains/:domain/dns',
  contacts: '/contacts',
  buy: '/buy',
  balance: '/balance',
  invoices: '/invoices',
  auditLog: '/audit-log',
  apiKeys: '/api-keys',
  approvals: '/approvals',
  approval: '/approvals/:id',
  webhooks: '/webhooks',
  connect: '/connect',
  connectedApps: '/connected-apps',
  support: '/support',
} as const

/** The operators' pages: another shell, session and cookie, and no link leads there. */
export const operatorPath = '/operator'
/** Whether the browser opened one of them; the two are never left without a load. */
export const isOperatorPage = /^\/dashboard\/operator(\/|$)/.test(location.pathname)

/** The last is in money/top-up-paths.ts, which the log-in page does not load. */
export type Route = (typeof routes)[keyof typeof routes] | '/billing/top-up'

/** Where to go after the log-in: a path of the application, whatever the URL says. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? routes.home
  return /^\/(?![/\\])/.test(next) && !next.startsWith(routes.logIn) ? next : routes.home
}

/**
 * Errors of single sign-on lead to the log-in. With a session they are of an identity that was to
 * be linked. Null: there is no error.
 */
export function failedLinkPath(search: string): string | null {
  const code = new URLSearchParams(search).get('sso_error')
  return code === null ? null : `${routes.security}?sso_error=${encodeURIComponent(code)}`
}

export function logInPath(from: string): string {
  return withNext(routes.logIn, from)
}

/** A page before the log-in that leads on to `next` in the end. */
export function withNext(path: Route, next: string): string {
  return next === routes.home ? path : `${path}?next=${encodeURIComponent(next)}`
}

export function domainPath(domain: string): string {
  return `${routes.domains}/${encodeURIComponent(domain)}`
}

export function dnsPath(domain: string): string {
  return `${domainPath(domain)}/dns`
}

export function searchPath(name: string): string {
  return `${routes.buy}?q=${encodeURIComponent(name)}`
}

/** The page of API keys with the dialog that creates one. */
export const createKeyPath = `${routes.apiKeys}?create`

export function balancePath(currency: string): string {
  return `${routes.balance}?currency=${currency}`
}

/** The page of keys or of apps with the dialog that changes the limits of this one. */
export function limitsPath({ of, id }: { of: 'api_key' | 'app'; id: string }): string {
  const page = of === 'app' ? routes.connectedApps : routes.apiKeys
  return `${page}?limits=${encodeURIComponent(id)}`
}
