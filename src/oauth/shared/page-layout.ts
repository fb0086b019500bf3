// Layout of our HTML pages: the design of the dashboard without its bundle, and the security
// headers.
import { type Html, html } from '../../kit/html.ts'
import { pageStyle, passkeyScript } from './page-assets.ts'

/** A page as an HTTP response. */
export type PageResponse = { status: number; headers: Record<string, string>; body: string }

/**
 * Chrome checks every redirect after a submission against `form-action`, so the destinations of
 * those redirects have to be listed.
 */
function policy({ form_targets, script_sources = [] }: Sources): string {
  const targets = form_targets.length === 0 ? "'none'" : form_targets.join(' ')
  const scripts = script_sources.length === 0 ? '' : `script-src ${script_sources.join(' ')}; `
  // The page's own script asks for options.
  const connects = script_sources.includes("'self'") ? "connect-src 'self'; " : ''
  return (
    `default-src 'none'; ${scripts}${connects}style-src 'self'; base-uri 'none'; ` +
    `form-action ${targets}; frame-ancestors 'none'`
  )
}

type Sources = { form_targets: readonly string[]; script_sources?: readonly string[] }

/** Of every page: it cannot be framed or cached, and sends no Referer. */
export function pageHeaders(sources: Sources): Record<string, string> {
  return {
    'Content-Security-Policy': policy(sources),
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

export type Page = {
  status: number
  title: string
  body: Html
  /** Sources of form-action; none for a page without a form. */
  form_targets?: readonly string[]
  /** Where the browser is redirected at once. */
  redirect_to?: string
  /** Whether the page has the button of passkeys. */
  with_passkeys?: boolean
  headers?: Record<string, string>
}

export function pageAnswer(page: Page): PageResponse {
  const { status, title, body, form_targets = [], redirect_to, headers = {} } = page
  const script_sources = page.with_passkeys ? ["'self'"] : []
  const script = page.with_passkeys
    ? html`<script type="module" src="${passkeyScript.path}"></script>\n`
    : null
  const refresh =
    redirect_to === undefined
      ? null
      : html`<meta http-equiv="refresh" content="0;url=${redirect_to}">\n`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders({ form_targets, script_sources }),
      ...headers,
    },
    body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh}<title>${title} · Agent Registrar</title>
<link rel="stylesheet" href="${pageStyle.path}">
${script}</head>
<body>
<main>
<div class="mark" aria-hidden="true">A</div>
${body}
</main>
</body>
</html>
`.text,
  }
}

/** A page with a message and the next step. */
export type Notice = { status: number; title: string; message: string; action: string }

export function noticePage({ status, title, message, action }: Notice): PageResponse {
  const body = html`<h1>${title}</h1>
<div class="stack">
<p class="warning" role="alert">${message}</p>
<p>${action}</p>
</div>`
  return pageAnswer({ status, title, body })
}

/** A redirect: always 303, so that no password is ever posted on. */
export function seeOther(location: string): PageResponse {
  const headers = {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  }
  return { status: 303, headers, body: '' }
}
