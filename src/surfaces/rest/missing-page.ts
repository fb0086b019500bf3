// Content negotiation at paths without a route: a browser is led to the page that its user means,
// or gets one that says so; every other client gets the problem document.
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { html } from '../../kit/html.ts'
import { type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'
import { pageRoot } from '../../origins.ts'
import { wantsPage } from '../dashboard/dashboard-routes.ts'

/**
 * Addresses that people type by habit, without their slash, and the pages of the dashboard that
 * they mean.
 */
const habits: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '/log-in': ['/login', '/log-in', '/log_in', '/logon', '/signin', '/sign-in', '/sign_in'],
    '/sign-up': ['/signup', '/sign-up', '/sign_up', '/register'],
    '/password/forgotten': ['/forgot-password', '/forgotten-password', '/reset-password'],
  }).flatMap(([page, typed]) => typed.map((path): [string, string] => [path, page])),
)

const longestPath = 80

/**
 * A redirect, or the page with status 404. It is undefined for clients other than browsers and for
 * those that take JSON as well.
 */
export function missingPage(settings: Settings, request: FastifyRequest): PageResponse | undefined {
  if (!['GET', 'HEAD'].includes(request.method) || !wantsPage(request)) return undefined
  if (/json/i.test(request.headers.accept ?? '')) return undefined
  const [path = ''] = request.url.split('?')
  const dashboard = `${pageRoot(settings)}/dashboard`
  const meant = habits.get(path.toLowerCase().replace(/\/+$/, ''))
  if (meant !== undefined)
    return { status: 302, headers: { Location: dashboard + meant, Vary: 'Accept' }, body: '' }
  return pageAnswer({
    status: 404,
    title: 'Page not found',
    headers: { Vary: 'Accept' },
    body: html`<h1>Page not found</h1>
<div class="stack">
<p>There is no page at <code>${shownPath(path)}</code>. Check the address for a typing error, or
continue here:</p>
<ul>
<li><a href="${dashboard}/">Dashboard</a>: your domains, agents and balance</li>
<li><a href="${dashboard}/log-in">Log in</a>${
      settings.sign_up === 'open'
        ? html`, or <a href="${dashboard}/sign-up">create an account</a>`
        : null
    }</li>
<li><a href="${pageRoot(settings)}/docs">Documentation</a> of the API, with examples</li>
<li><a href="${dashboard}/support">Support</a></li>
</ul>
</div>`,
  })
}

/** The path as it was sent, still percent-encoded, and no longer than a line or two. */
function shownPath(path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
}
