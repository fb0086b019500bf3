// The pages of the device flow (RFC 8628 section 3.3): the form for the code, the question whether
// the user began this, and the end. Nothing is submitted without a click (section 5.4).
import { type Html, html } from '../../kit/html.ts'
import { forgotPassword } from '../log-in/log-in-page.ts'
import type { ClientDisplay } from '../shared/display-name.ts'
import { routes } from '../shared/endpoints.ts'
import { problemNotice, textField, waitOf } from '../shared/form-parts.ts'
import { noticePage, type PageResponse, pageAnswer } from '../shared/page-layout.ts'

type Shown = {
  /** The token against forged requests. */
  xsrf: string
  /** The name of this service, e.g. "registrar.example". */
  registrar: string
  user_code: string
}
/** The program that asked for a code: its request, as far as it is known. */
export type Requester = { address: string; agent: string; at: string }

const action = routes.code_verification
/** The value of `confirm` by which the page sends email address and password, too. */
export const withPassword = 'log_in'

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

/** The fields of the log-in beside the code. */
type LogIn = { email: string; problem: string | null }
type Confirming = Shown & {
  client: ClientDisplay
  requester: Requester
  /** Null if this browser is logged in already. */
  log_in: LogIn | null
}

export function deviceConfirmPage(view: Confirming): PageResponse {
  const { user_code, xsrf, registrar, log_in } = view
  const title = 'Is this your device?'
  return pageAnswer({
    status: 200,
    title: log_in?.problem ? `Error: ${title}` : title,
    body: html`<h1>${title}</h1>
<p class="subtitle">A program is asking for access to your Agent Registrar account
(${registrar}). You choose next what it may do.</p>
<form method="post" action="${action}" class="stack">
<input type="hidden" name="xsrf" value="${xsrf}">
<input type="hidden" name="user_code" value="${user_code}">
${requesterFacts(view)}
<p class="warning">Continue only if you started this yourself just now, and your device shows
exactly this code. If somebody sent you the code or a link to this page, choose Deny: they would
get access to your account.</p>
${log_in === null ? continueButtons : logInFields(log_in)}
</form>`,
    form_targets: ["'self'"],
  })
}

function requesterFacts({ client, requester, user_code }: Confirming): Html {
  return html`<div class="facts"><dl>
<div><dt>Code</dt><dd><strong>${user_code}</strong></dd></div>
<div><dt class="unverified">App name (not verified)</dt>
<dd><strong class="claimed-name"><bdi>${client.name}</bdi></strong></dd></div>
<div><dt>Asked from the address</dt><dd>${requester.address}</dd></div>
<div><dt>With the program</dt>
<dd><bdi>${requester.agent === '' ? 'unknown' : requester.agent}</bdi></dd></div>
<div><dt>Asked at</dt><dd>${timeOf(requester.at)}</dd></div>
</dl></div>`
}

const deny = html`<button name="abort" value="yes" formnovalidate>Deny</button>`
const continueButtons = html`<div class="buttons">
<button class="primary" name="confirm" value="yes">Continue</button>
${deny}
</div>`

/** The Enter key presses the first button. */
function logInFields({ email, problem }: LogIn): Html {
  return html`${problemNotice(problem)}
${textField({
  name: 'email',
  label: 'Email address',
  type: 'email',
  value: email,
  autocomplete: 'username',
  maxlength: 320,
  focus: problem !== null && email === '',
})}
${textField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  focus: problem !== null && email !== '',
})}
<div class="buttons">
<button class="primary" name="confirm" value="${withPassword}">Log in and continue</button>
${deny}
</div>
${forgotPassword}
<p class="small">No password, or no account yet?
<button class="link" name="confirm" value="yes" formnovalidate>Continue in another way</button></p>`
}

/** A time as in "2026-11-24 18:40 UTC". */
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
