// Return from an identity provider: exchanges the ticket in the fragment for a session, links the
// identity, or asks for missing facts.
import { useEffect, useRef, useState } from 'react'
import { type DashboardRegisterResponse, exchangeSsoTicket, linkIdentity } from 'sdk'
import { Link, useLocation } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { EntryPage } from '../../components/sign-in/entry-page.tsx'
import { FirstKey } from '../../components/sign-in/first-key.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ApiError, answerOf, failureHere } from '../../lib/api.ts'
import { lazyPart } from '../../lib/parts/lazy-part.ts'
import { routes, withNext } from '../../lib/routes.ts'
import { readSession, useSession } from '../../lib/session.ts'
import { useFragment } from '../../lib/sign-in/fragment.ts'
import { inWords, type PendingLink, pendingLinkOf, wayBack } from '../../lib/sign-in/sso.ts'
import { showToast } from '../../lib/toasts.ts'
import { ssoTexts as texts } from '../../messages/sign-in/sso-texts.ts'

// These are loaded on demand, since most users see neither of them.
const ConfirmLink = lazyPart(() => import('./confirm-link.tsx'))
const ConfirmOwner = lazyPart(() => import('./confirm-owner-again.tsx'))

type Step =
  | { at: 'working' }
  | { at: 'link'; link: PendingLink }
  | { at: 'owner' }
  | { at: 'key'; value: string }
  | { at: 'failed'; error: unknown }

export default function SsoPage() {
  const way = wayBack(useFragment())
  const { step, setStep, link, onLoggedIn, goOn } = useSteps(way)
  const session = useSession()
  const isKnown = session.state !== 'unknown'
  const isLink = way.isLink && session.state === 'logged_in'
  const begun = useRef(false)
  useEffect(() => {
    // A ticket is used once, and an effect may run twice.
    if (!isKnown || begun.current) return
    begun.current = true
    const { ticket } = way
    const { message, hint } = texts.noTicket
    if (ticket === null) setStep({ at: 'failed', error: failureHere('no_ticket', message, hint) })
    else if (isLink) void link(ticket)
    else void exchanged(ticket, onLoggedIn).then((next) => next && setStep(next))
  })
  switch (step.at) {
    case 'working':
      return (
        <EntryPage title={way.isLink ? texts.linking : texts.loggingIn}>
          <Skeleton />
        </EntryPage>
      )
    case 'link':
      return <ConfirmLink link={step.link} next={way.next} onLinked={onLoggedIn} />
    case 'owner':
      return <ConfirmOwner onConfirmed={() => link(way.ticket ?? '')} />
    case 'key':
      return <FirstKey value={step.value} onStored={goOn} />
    case 'failed':
      return <Failed error={step.error} isLink={isLink} next={way.next} />
  }
}

/** The next step, or null if the session leads away from this page. */
async function exchanged(
  ticket: string,
  onLoggedIn: (reply: DashboardRegisterResponse) => Promise<void>,
): Promise<Step | null> {
  try {
    await onLoggedIn(await answerOf(exchangeSsoTicket({ body: { ticket } })))
    return null
  } catch (error) {
    const link = pendingLinkOf(error)
    return link ? { at: 'link', link } : { at: 'failed', error }
  }
}

function useSteps({ next, outside }: ReturnType<typeof wayBack>) {
  const [step, setStep] = useState<Step>({ at: 'working' })
  const [, navigate] = useLocation()
  const goOn = async () => {
    const { message, hint } = texts.noCookie
    if (!(await readSession()))
      setStep({ at: 'failed', error: failureHere('no_cookie', message, hint) })
    else if (outside === null) navigate(next, { replace: true })
    else location.replace(outside)
  }
  const onLoggedIn = async ({ mcp_api_key }: DashboardRegisterResponse) =>
    mcp_api_key === null ? goOn() : setStep({ at: 'key', value: mcp_api_key })
  const link = async (ticket: string) => {
    setStep({ at: 'working' })
    try {
      await answerOf(linkIdentity({ body: { ticket } }))
      showToast({ title: texts.linked })
      navigate(routes.security, { replace: true })
    } catch (error) {
      const isOld = error instanceof ApiError && error.failure.code === 'fresh_log_in_needed'
      setStep(isOld ? { at: 'owner' } : { at: 'failed', error })
    }
  }
  return { step, setStep, link, onLoggedIn, goOn }
}

type Failure = { error: unknown; isLink: boolean; next: string }

function Failed({ error, isLink, next }: Failure) {
  const isConfirmation = error instanceof ApiError && error.failure.code === 'sso_other_identity'
  if (isConfirmation)
    return (
      <EntryPage key="failed" title={texts.notConfirmed}>
        <ErrorNotice error={inWords(error)} />
        <Link href={next} className={`${buttonClass('primary')} mt-6`}>
          {texts.back}
        </Link>
      </EntryPage>
    )
  return (
    <EntryPage key="failed" title={isLink ? texts.notLinked : texts.failed}>
      <ErrorNotice error={inWords(error)} />
      <Link
        href={isLink ? routes.security : withNext(routes.logIn, next)}
        className={`${buttonClass('primary')} mt-6`}
      >
        {isLink ? texts.toSecurity : texts.toLogIn}
      </Link>
    </EntryPage>
  )
}
