// The words of the password page.

import { longestPassword, shortestPassword } from '../../capabilities/sign-in/index.ts'
import { html } from '../../kit/html.ts'
import { noticePage, type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'

export type PasswordForm = {
  token: string
  email: string
  kind: 'setup' | 'reset'
  /** What was wrong with what was typed before, as a sentence. */
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
<label for="again">The same once more</label>
<input type="password" id="again" name="again" autocomplete="new-password" required
 minlength="${shortestPassword}">
<p class="small" id="rules">${shortestPassword} to ${longestPassword} characters of any kind; not
one that many people use. Wherever you are logged in with the old one, you are logged out.</p>
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
<p>You can log in with it now, and let programs into your account with it. This page can be
closed.</p>`,
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
  const title = 'Get a mail to set a new password'
  const words = 'Please give the e-mail address of your account, like ada@example.net.'
  return pageAnswer({
    status: problem ? 422 : 200,
    title: problem ? `Error: ${title}` : title,
    body: html`<h1>${title}</h1>
${problem ? html`<div class="problem" id="problem" role="alert">${words}</div>` : null}
<form method="post" action="/password/forgotten">
<label for="email">E-mail address of your account</label>
<input type="email" id="email" name="email" autocomplete="username" required maxlength="320"
 value="${email}"${problem ? html` aria-describedby="problem" autofocus` : null}>
<div class="buttons"><button class="go" type="submit">Send the mail</button></div>
</form>`,
    form_targets: ["'self'"],
  })
}

/** The same whoever has the address. */
export function askedPage(): PageResponse {
  const title = 'Look into your mail'
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<p>If an account has that address, a mail with a link is on its way. The link works for ten minutes.
Set the new password there, then go on where you were.</p>`,
  })
}

export function deadLinkPage(): PageResponse {
  return noticePage({
    status: 403,
    title: 'This link works no more',
    message: 'It was used already, a newer one was sent, or it is too old.',
    action: 'Ask for another mail where you asked for this one, or those who run this service.',
  })
}

/** Too many tries, or something on our side: the link stays good. */
export function troublePage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'Nothing was changed, and the link in the mail stays good.'
  return waitPage(status, { happened, again: 'open the link once more', retryAfter })
}

/** The same for a mail that was asked for, whoever has the address. */
export function notSentPage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'This time no mail was sent. One that you asked for before stays good.'
  return waitPage(status, { happened, again: 'ask once more', retryAfter })
}

type Wait = { happened: string; again: string; retryAfter: string | undefined }

function waitPage(status: number, { happened, again, retryAfter }: Wait): PageResponse {
  const page = noticePage({
    status,
    title: 'That did not work just now',
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
