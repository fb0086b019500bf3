// Security headers of the HTML that the library writes itself: the page of response_mode=form_post,
// which carries a code or an error (OAuth 2.0 Form Post Response Mode), and bodies of redirects.
import { createHash } from 'node:crypto'
import { destinationOf } from '../shared/display-name.ts'
import { pageHeaders } from '../shared/page-layout.ts'
import type { Middleware } from './provider.ts'

// The script as lib/response_modes/form_post.js has it. The hash is that of this text and not of
// the page's, so that no script that was injected into a page would be allowed.
const script = `
    document.addEventListener('DOMContentLoaded', function () { document.forms[0].submit() });
  `
const scriptSource = `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * This comes before the middleware that responds with pages of ours, because those have their own
 * headers.
 */
export function addPageHeaders(): Middleware {
  return async (ctx, next) => {
    await next()
    if (!ctx.response.is('html') || ctx.response.headers['content-security-policy'] !== undefined)
      return
    const isForm = typeof ctx.body === 'string' && ctx.body.includes(script)
    const uri = ctx.oidc?.params?.redirect_uri
    const targets = isForm && typeof uri === 'string' && URL.canParse(uri) ? [sourceOf(uri)] : []
    ctx.set(pageHeaders({ form_targets: targets, script_sources: isForm ? [scriptSource] : [] }))
  }
}

/** The redirect URI as a source of form-action, which has no query (CSP 3 section 2.3.1). */
function sourceOf(uri: string): string {
  const { csp_source } = destinationOf(uri)
  const { origin, pathname } = new URL(uri)
  if (csp_source !== origin) return csp_source
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}
