// Layout of our HTML pages: the design of the dashboard without its bundle, and the security
// headers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/config.ts'
import { type Html, html } from '../../kit/html.ts'
import { htmlDocument, pagePolicy } from '../../pages/html-document.ts'
import { staticAsset } from '../../pages/static-asset.ts'

const assets = join(import.meta.dirname, '../assets')
const style = staticAsset('forms', 'css', readFileSync(join(assets, 'forms.css'), 'utf8'))
const passkeyScript = staticAsset('passkey', 'js', readFileSync(join(assets, 'passkey.js'), 'utf8'))

// The script of passkeys asks the API for options.
const passkeySources = { script_sources: ["'self'"], connects: true }

/** A page as an HTTP response. */
export type PageResponse = { status: number; headers: Record<string, string>; body: string }

type Sources = Parameters<typeof pagePolicy>[0]

/** The header fields of every page, which cannot be framed or cached and sends no Referer. */
export function pageHeaders(sources: Sources): Record<string, string> {
  return {
    'Content-Security-Policy': pagePolicy(sources),
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

type Page = {
  status: number
  title: string
  body: Html
  /** The sources of form-action, or none for a page without a form. */
  form_targets?: readonly string[]
  /** The URL to which the browser is redirected at once. */
  redirect_to?: string
  /** Whether the page has the button of passkeys. */
  with_passkeys?: boolean
  headers?: Record<string, string>
}

export function pageAnswer(page: Page): PageResponse {
  const { status, title, body, form_targets = [], with_passkeys = false, headers = {} } = page
  const script = with_passkeys
    ? html`<script type="module" src="${passkeyScript.path}"></script>\n`
    : null
  const refresh =
    page.redirect_to === undefined
      ? null
      : html`<meta http-equiv="refresh" content="0;url=${page.redirect_to}">\n`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders({ form_targets, ...(with_passkeys && passkeySources) }),
      ...headers,
    },
    body: htmlDocument({
      title: `${title} · Agent Registrar`,
      styles: [style],
      head: html`${refresh}${script}`,
      body: html`<main>
<div class="mark" aria-hidden="true">A</div>
${body}
</main>`,
    }),
  }
}

const band = html`<aside class="sandbox" aria-label="Sandbox">
<strong>Sandbox</strong> No real money, no real domains
</aside>
`.text

/**
 * A page with the band of a sandbox, as in the dashboard, because nothing else in it shows the
 * environment.
 */
export function ofEnvironment(
  page: PageResponse,
  { environment }: Pick<Settings, 'environment'>,
): PageResponse {
  if (environment !== 'sandbox') return page
  return { ...page, body: page.body.replace('<body>\n', `<body>\n${band}`) }
}

/** A page with a message and the next step. */
type Notice = { status: number; title: string; message: string; action: string | Html }

export function noticePage({ status, title, message, action }: Notice): PageResponse {
  const body = html`<h1>${title}</h1>
<div class="stack">
<p class="warning" role="alert">${message}</p>
<p>${action}</p>
</div>`
  return pageAnswer({ status, title, body })
}

/** A redirect, always with 303, so that no password is ever posted on. */
export function seeOther(location: string): PageResponse {
  const headers = {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  }
  return { status: 303, headers, body: '' }
}
