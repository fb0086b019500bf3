// The pages of the device flow (RFC 8628 section 3.3): the form for the code, the question whether
// the user began this, and the end. Nothing is submitted without a click (section 5.4).
import { html } from '../../kit/html.ts'
import { routes } from '../provider/endpoints.ts'
import type { ClientDisplay } from '../shared/display-name.ts'
import { problemNotice, textField, waitOf } from '../shared/form-parts.ts'
import { noticePage, type PageResponse, pageAnswer } from '../shared/page-layout.ts'

type Shown = {
  /** The token against forged requests. */
  xsrf: string
  /** This service, e.g. "registrar.example". */
  registrar: string
  user_code: string
}
/** The program that asked for a code: its request, as far as it is known. */
export type Requester = { address: string; agent: string; at: string }

const action = routes.code_verification

export function deviceCodePage({
  xsrf,
  registrar,
  user_code,
  problem,
}: Shown & { problem: string | null }): PageResponse {
  return pageAnswer({
    status: 200,
    title: problem === null ? 'Connect a device' : 'Error: Connect a device',
    body: html`<h1>Connect a device</h1>
<p class="subtitle">A program on another device or in a terminal shows a code for your Agent
Registrar account (${registrar}). Enter it here only if you started that program yourself.</p>
<form method="post" action="${action}" class="stack">
<input type="hidden" name="xsrf" value="${xsrf}">
${problemNotice(problem)}
${textField({
  name: 'user_code',
  label: 'Code',
  value: user_code,
  autocomplete: 'off',
  maxlength: 20,
  hint: 'Eight letters, such as WDJB-MJHT. Capitals and the hyphen do not matter.',
  focus: true,
})}
<div class="buttons"><button class="primary">Continue</button></div>
</form>`,
    form_targets: ["'self'"],
  })
}

type Confirming = Shown & { client: ClientDisplay; requester: Requester }

export function deviceConfirmPage(view: Confirming): PageResponse {
  const { client, requester, user_code, xsrf, registrar } = view
  return pageAnswer({
    status: 200,
    title: 'Is this your device?',
    body: html`<h1>Is this your device?</h1>
<p class="subtitle">A program is asking for access to your Agent Registrar account
(${registrar}). You choose next what it may do.</p>
<form method="post" action="${action}" class="stack">
<input type="hidden" name="xsrf" value="${xsrf}">
<input type="hidden" name="user_code" value="${user_code}">
<div class="facts"><dl>
<div><dt>Code</dt><dd><strong>${user_code}</strong></dd></div>
<div><dt class="unverified">App name (not verified)</dt>
<dd><strong class="claimed-name"><bdi>${client.name}</bdi></strong></dd></div>
<div><dt>Asked from the address</dt><dd>${requester.address}</dd></div>
<div><dt>With the program</dt>
<dd><bdi>${requester.agent === '' ? 'unknown' : requester.agent}</bdi></dd></div>
<div><dt>Asked at</dt><dd>${timeOf(requester.at)}</dd></div>
</dl></div>
<p class="warning">Continue only if you started this yourself just now, and your device shows
exactly this code. If somebody sent you the code or a link to this page, choose Deny: they would
get access to your account.</p>
<div class="buttons">
<button class="primary" name="confirm" value="yes">Continue</button>
<button name="abort" value="yes">Deny</button>
</div>
</form>`,
    form_targets: ["'self'"],
  })
}

/** "2026-11-24 18:40 UTC" */
function timeOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
}

export function deviceConnectedPage({ name }: ClientDisplay): PageResponse {
  return pageAnswer({
    status: 200,
    title: 'Connected',
    body: html`<h1>Connected</h1>
<div class="stack">
<div class="facts"><dl><div><dt class="unverified">App name (not verified)</dt>
<dd><strong class="claimed-name"><bdi>${name}</bdi></strong></dd></div></dl></div>
<p>It has access now. You can close this page, and go back to your device or terminal: it continues
automatically within a few seconds.</p>
<p><a href="/dashboard/connected-apps">Connected apps</a> shows what it may do, and disconnects
it.</p>
</div>`,
  })
}

export function tooManyCodesPage(resets_s: number): PageResponse {
  const page = noticePage({
    status: 429,
    title: 'Too many codes',
    message: 'Too many codes were entered from your network.',
    action: `Wait ${waitOf(resets_s)}, then enter the code again.`,
  })
  return { ...page, headers: { ...page.headers, 'Retry-After': String(Math.ceil(resets_s)) } }
}
