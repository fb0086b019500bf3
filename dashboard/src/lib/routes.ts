// Routes below /dashboard: every path of the application, and the functions that fill them in.
export const routes = {
  home: '/',
  logIn: '/log-in',
  domains: '/domains',
  buy: '/buy',
  balance: '/balance',
  auditLog: '/audit-log',
} as const

export type Route = (typeof routes)[keyof typeof routes]

/** Where to go after the log-in: a path of the application, whatever the URL says. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? routes.home
  return /^\/(?![/\\])/.test(next) && !next.startsWith(routes.logIn) ? next : routes.home
}

export function logInPath(from: string): string {
  return from === routes.home ? routes.logIn : `${routes.logIn}?next=${encodeURIComponent(from)}`
}
