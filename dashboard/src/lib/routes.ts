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

/** The operators' pages, which have another shell, session and cookie; no link leads there. */
export const operatorPath = '/operator'
/**
 * Whether the browser opened one of the operators' pages. Changing between them and the owners'
 * pages always loads a new document.
 */
export const isOperatorPage = /^\/dashboard\/operator(\/|$)/.test(location.pathname)

/** The path of a checkout is in money/top-up-paths.ts, which the log-in page does not load. */
export type Route = (typeof routes)[keyof typeof routes] | '/billing/top-up'

/** The path to open after the log-in, which is one of the application, whatever the URL says. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? routes.home
  return /^\/(?![/\\])/.test(next) && !next.startsWith(routes.logIn) ? next : routes.home
}

/**
 * The page for an error of single sign-on, or null if there is no error. Such errors lead to the
 * log-in; if there is a session, they belong to an identity that was to be linked.
 */
export function failedLinkPath(search: string): string | null {
  const code = new URLSearchParams(search).get('sso_error')
  return code === null ? null : `${routes.security}?sso_error=${encodeURIComponent(code)}`
}

export function logInPath(from: string): string {
  return withNext(routes.logIn, from)
}

/** A page before the log-in that finally leads to `next`. */
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
