// The HTML of the password pages.

import { longestPassword, shortestPassword } from '../../capabilities/sign-in/index.ts'
import { html } from '../../kit/html.ts'
import { noticePage, type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'

export type PasswordForm = {
  token: string
  email: string
  kind: 'setup' | 'reset'
  /** The problem of the previous submission, as a sentence. */
  problem: string | null
}

/** The form: 200, or 422 where it is shown again. */
export function formPage({ token, email, kind, problem }: PasswordForm): PageResponse {
  const title = kind === 'setup' ? 'Set your password' : 'Set a new password'
  const described = problem === null ? 'rules' : 'problem rules'
  return pageAnswer({
    status: problem === null ? 200 : 422,
    title: problem === null ? title : `Error: ${title}`,
    body: html`<h1>${title}</h1>
${problem === null ? null : html`<div class="problem" id="problem" role="alert">${problem}</div>`}
<form method="post" action="/password">
<input type="hidden" name="token" value="${token}">
<label for="email">Your account</label>
<input type="email" id="email" autocomplete="username" value="${email}" readonly>
<label for="password">New password</label>
<input type="password" id="password" name="password" autocomplete="new-password" required
 minlength="${shortestPassword}" aria-describedby="${described}">
<label for="again">Confirm password</label>
<input type="password" id="again" name="again" autocomplete="new-password" required
 minlength="${shortestPassword}">
<p class="small" id="rules">${shortestPassword} to ${longestPassword} characters of any kind;
commonly used passwords are rejected. You will be logged out everywhere.</p>
<div class="buttons"><button class="go" type="submit">Set password</button></div>
</form>`,
    form_targets: ["'self'"],
  })
}

export function donePage(): PageResponse {
  const title = 'Your password is set'
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<p>You can now <a href="/dashboard/log-in">log in</a> with it and connect programs to your
account.</p>`,
  })
}

/** Asks for the address; 422 where it is shown again. */
export function forgottenPage({
  email,
  problem,
}: {
  email: string
  problem: boolean
}): PageResponse {
  const title = 'Reset your password'
  const words = 'Please enter the e-mail address of your account, such as ada@example.net.'
  return pageAnswer({
    status: problem ? 422 : 200,
    title: problem ? `Error: ${title}` : title,
    body: html`<h1>${title}</h1>
${problem ? html`<div class="problem" id="problem" role="alert">${words}</div>` : null}
<form method="post" action="/password/forgotten">
<label for="email">E-mail address of your account</label>
<input type="email" id="email" name="email" autocomplete="username" required maxlength="320"
 value="${email}"${problem ? html` aria-describedby="problem" autofocus` : null}>
<div class="buttons"><button class="go" type="submit">Send reset link</button></div>
</form>`,
    form_targets: ["'self'"],
  })
}

/** The same whether or not an account has the address. */
export function askedPage(): PageResponse {
  const title = 'Check your mail'
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<p>If an account has that address, a mail with a link is on its way. The link works for ten minutes.
Set the new password there, then continue in the other tab.</p>`,
  })
}

export function deadLinkPage(): PageResponse {
  return noticePage({
    status: 403,
    title: 'This link is no longer valid',
    message: 'It was already used, was replaced by a newer one, or has expired.',
    action:
      'Request a new link where you requested this one, or contact the operator of this service.',
  })
}

/** Too many attempts, or a failure of the service: the link stays valid. */
export function troublePage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'Nothing was changed, and the link in the mail stays valid.'
  return waitPage(status, { happened, again: 'open the link again', retryAfter })
}

/** The same for a requested mail, whether or not an account has the address. */
export function notSentPage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'No mail was sent. A link from an earlier mail stays valid.'
  return waitPage(status, { happened, again: 'try again', retryAfter })
}

type Wait = { happened: string; again: string; retryAfter: string | undefined }

function waitPage(status: number, { happened, again, retryAfter }: Wait): PageResponse {
  const page = noticePage({
    status,
    title: 'Please try again later',
    message: happened,
    action: `Please wait ${waitOf(retryAfter)}, then ${again}.`,
  })
  return retryAfter === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'Retry-After': retryAfter } }
}

function waitOf(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter ?? 60)
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
}
