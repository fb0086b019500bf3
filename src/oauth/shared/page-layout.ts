// Layout of our HTML pages: no scripts, one style, and the security headers.
import { createHash } from 'node:crypto'
import { Html, html } from '../../kit/html.ts'

const style = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881;
  --strong: light-dark(#0b57d0, #8ab4f8); --on: light-dark(#fff, #111);
  --bad: light-dark(#b3261e, #f2b8b5) }
* { box-sizing: border-box }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto;
  padding: 1rem 1rem 4rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.25 }
dl { background: var(--soft); border-radius: .5rem; padding: .75rem 1rem; margin: 1rem 0 }
dt { font-size: .875rem }
dd { margin: 0 0 .5rem; font-weight: 600 }
.claimed-name { display: block; unicode-bidi: isolate; border: 1px dashed var(--line);
  border-radius: .4rem; padding: .3rem .6rem; margin: .2rem 0 .4rem; font-size: 1.15rem }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0;
  padding: .75rem 1rem }
legend { font-weight: 600; padding: 0 .4rem }
input.unseen { position: absolute; left: -9999px; width: 1px }
fieldset.careful { border: 2px solid var(--bad) }
fieldset p { margin: .25rem 0 .5rem; font-size: .9375rem }
label { display: block }
label.box { display: flex; gap: .75rem; align-items: flex-start; padding: .4rem 0 }
input[type=checkbox] { width: 1.35rem; height: 1.35rem; margin: .1rem 0 0; flex: none }
input[type=email], input[type=password] { width: 100%; font: inherit; padding: .6rem;
  margin: .2rem 0 .8rem; border: 1px solid var(--line); border-radius: .4rem }
button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border-radius: .4rem;
  border: 1px solid var(--strong); background: none; color: var(--strong); min-width: 8rem }
button.go { background: var(--strong); color: var(--on) }
button.plain { border: 0; padding: .3rem 0; min-width: 0; text-decoration: underline }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
.problem { border-left: .3rem solid var(--bad); background: var(--soft); padding: .6rem 1rem;
  margin: 1rem 0 }
.small { font-size: .875rem }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
a { color: var(--strong) }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** A page as an HTTP response. */
export type PageResponse = { status: number; headers: Record<string, string>; body: string }

/**
 * Chrome checks every redirect after a submission against `form-action`, so the destinations of
 * those redirects have to be listed.
 */
function policy({ form_targets, script_sources = [] }: Sources): string {
  const targets = form_targets.length === 0 ? "'none'" : form_targets.join(' ')
  const scripts = script_sources.length === 0 ? '' : `script-src ${script_sources.join(' ')}; `
  return (
    `default-src 'none'; ${scripts}style-src 'sha256-${styleHash}'; base-uri 'none'; ` +
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
  headers?: Record<string, string>
}

export function pageAnswer(page: Page): PageResponse {
  const { status, title, body, form_targets = [], redirect_to, headers = {} } = page
  const refresh =
    redirect_to === undefined
      ? null
      : html`<meta http-equiv="refresh" content="0;url=${redirect_to}">\n`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders({ form_targets }),
      ...headers,
    },
    body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${title} - Agent Registrar</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
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
<p role="alert">${message}</p>
<p>${action}</p>`
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
