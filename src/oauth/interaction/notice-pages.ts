// Pages that say why a consent page can no longer be used, and the one that redirects to the
// client.
import { html } from '../../kit/html.ts'
import { noticePage, type PageResponse, pageAnswer } from '../shared/page-layout.ts'

const startAgain = 'Go back to the app you came from and connect it again from there.'
const nothing = 'No access was granted.'

export const expiredPage = noticePage({
  status: 400,
  title: 'This page has expired',
  message: 'You have already answered it, its log-in has ended, or it was open for too long.',
  action: html`<a href="/dashboard/connected-apps">Connected apps</a> shows whether the app has
access. If it has not, connect it again from the app. This page also ends when too many other
pages were opened in this browser after it, or the browser does not keep our cookie.`,
})

export const crossSitePage = noticePage({
  status: 403,
  title: 'This form was not sent from our page',
  message: `Another website tried to submit this form on your behalf. ${nothing}`,
  action: 'To connect an app, start again from that app.',
})

export const csrfMismatchPage = noticePage({
  status: 403,
  title: 'This form is out of date',
  message: `The form was modified, or you logged in or out in another tab. ${nothing}`,
  action: startAgain,
})

export const unreadableFormPage = noticePage({
  status: 400,
  title: 'This form cannot be read',
  message: `It was not sent by our page. ${nothing}`,
  action: startAgain,
})

export const notFormDataPage = { ...unreadableFormPage, status: 415 }

export const passwordChangedPage = noticePage({
  status: 400,
  title: 'The password of this account was just changed',
  message: `It was changed while this page was open. ${nothing}`,
  action: `${startAgain} Log in with the new password.`,
})

/**
 * Redirects at once. A browser checks the redirects after a form against `form-action` of the
 * form's page, including those of the client's own website; from this page they are free.
 */
export function continuePage(to: string, goal: 'app' | 'provider' = 'app'): PageResponse {
  const title = goal === 'app' ? 'Returning to the app' : 'Going to the log-in'
  const words =
    goal === 'app'
      ? html`Your choice was saved. If nothing happens, <a href="${to}">continue</a>. You can close
this page once the app says that it is connected.`
      : html`The identity provider asks you to log in, and sends you back. If nothing happens,
<a href="${to}">continue</a>.`
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<div class="stack"><p>${words}</p></div>`,
    redirect_to: to,
  })
}
