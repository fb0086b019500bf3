// HTML of the simulated payment pages: document, style and policy. The pages are plain and have no
// scripts.
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'

export const STYLE_PATH = '/payment-page.css'
const STYLE = readFileSync(join(import.meta.dirname, 'payment-page.css'), 'utf8')
/** Chrome checks the redirect after a submission against `form-action`, too. */
const policyOf = (targets: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ')

type Page = { status: number; html: string; form_targets?: readonly string[] }

/** Replies with a page, or with the style that all pages share. */
export function replyPage(response: ServerResponse, page: Page | 'style'): void {
  const shown = page === 'style' ? { status: 200, html: null, form_targets: [] } : page
  const { status, html, form_targets = [] } = shown
  response.writeHead(status, {
    'content-type': `${html === null ? 'text/css' : 'text/html'}; charset=utf-8`,
    'content-security-policy': policyOf(form_targets),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(html ?? STYLE)
}

export function pageDocument(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Sandbox</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
${body}
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
}
