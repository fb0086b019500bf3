// The pages that say why a log-in page is no longer good, and the one that leads on.
import { html } from '../../kit/html.ts'
import { noticePage, type PageResponse, pageAnswer } from '../shared/page-layout.ts'

const startAgain = 'Go back to the program that you came from, and connect it again from there.'
const nothing = 'Nothing was allowed.'

export const stale = noticePage({
  status: 400,
  title: 'This page is no longer good',
  message:
    'It was open for too long, it was answered already, its log-in ended, many others were ' +
    'opened in this browser after it, or the browser did not keep our cookie.',
  action:
    'Look at the program that you came from: it may be connected by now. If it is not, connect ' +
    'it again from there.',
})

export const foreignForm = noticePage({
  status: 403,
  title: 'This was not sent from our page',
  message: `Another web site tried to submit this form in your name. ${nothing}`,
  action: 'If you did mean to connect a program, start again from that program.',
})

export const notThisForm = noticePage({
  status: 403,
  title: 'This form is not the one that we showed you',
  message: `The form was changed, or you logged in or out in another tab meanwhile. ${nothing}`,
  action: startAgain,
})

export const notAForm = noticePage({
  status: 400,
  title: 'This form cannot be read',
  message: `What arrived is not what our page sends. ${nothing}`,
  action: startAgain,
})

export const notFormData = { ...notAForm, status: 415 }

export const signInChanged = noticePage({
  status: 400,
  title: 'The password of the account was just changed',
  message: `It was changed while you were here. ${nothing}`,
  action: `${startAgain} Log in with the new password.`,
})

/**
 * Leads on by itself. A browser holds the redirects after a form against the form's page, also
 * those of the program's own web site; from here they are free.
 */
export function continuePage(to: string): PageResponse {
  return pageAnswer({
    status: 200,
    title: 'Going back to the program',
    body: html`<h1>Going back to the program</h1>
<p>Your answer was noted. If nothing happens, <a href="${to}">continue</a>. You can close this page
once the program says that it is connected.</p>`,
    redirect_to: to,
  })
}
