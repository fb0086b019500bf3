// Single sign-on in the browser: the redirect to the provider and back, and its errors in words.
import { useEffect, useState } from 'react'
import { listIdentities, listPasskeys, startSso } from 'sdk'
import { pathAt } from '../../../../shared/own-path.ts'

import { ssoTexts as texts } from '../../messages/sign-in/sso-texts.ts'
import { ApiError, answerOf, failureHere } from '../api.ts'
import { routes } from '../routes.ts'

const base = '/dashboard'
/** The return path of an identity that is linked to the account of the session. */
const linkPath = `${base}${routes.security}?linked`
/**
 * The return path after an owner has confirmed by a provider; a click then begins the action again.
 */
export const confirmedPath = `${routes.security}?confirmed`

/** Leaves for the provider, which leads back to `next`, a path of the application. */
export function openProvider(provider: string, next: string): Promise<void> {
  return leaveFor(provider, base + next)
}

/** The same for a fresh log-in, which the provider asks for; only a linked identity counts. */
export function openProviderToConfirm(provider: string, next: string): Promise<void> {
  return leaveFor(provider, base + next, true)
}

/** Leaves for the provider, to link the identity to the account of the session. */
export function openProviderToLink(provider: string): Promise<void> {
  return leaveFor(provider, linkPath)
}

async function leaveFor(provider: string, return_to: string, confirm_owner = false): Promise<void> {
  const request = startSso({ path: { provider }, body: { return_to, confirm_owner } })
  location.assign((await answerOf(request)).authorization_url)
}

/** `open` leaves the page for a provider, whose button stays busy meanwhile. */
export function useLeaving(leave: (provider: string) => Promise<void>, failed: string | null) {
  const [opened, setOpened] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(failed === null ? null : ssoErrorOf(failed))
  const open = async (provider: string) => {
    setOpened(provider)
    setError(null)
    try {
      await leave(provider)
    } catch (failure) {
      setOpened(null)
      setError(inWords(failure))
    }
  }
  return { opened, error, open }
}

type Ways = { providers: readonly string[]; hasPasskey: boolean }

/**
 * The ways to log in of the session's account, beside the password, or null while they are read.
 */
export function useWaysToLogIn(): Ways | null {
  const [ways, setWays] = useState<Ways | null>(null)
  useEffect(() => {
    Promise.all([answerOf(listIdentities()), answerOf(listPasskeys())]).then(
      ([{ identities }, { passkeys }]) => {
        const providers = identities.map(({ provider }) => provider)
        setWays({ providers, hasPasskey: passkeys.length > 0 })
      },
      // The password remains as a way to log in.
      () => setWays({ providers: [], hasPasskey: false }),
    )
  }, [])
  return ways
}

/**
 * The facts of the callback in the fragment, which anybody may have written, so its path is checked
 * again. `outside` is a path of the service that is not one of the application.
 */
export function wayBack(fragment: URLSearchParams) {
  const { origin } = location
  const given = pathAt(origin, new Set([origin]), fragment.get('return_to') ?? base) ?? base
  const isPage = given === base || given.startsWith(`${base}/`)
  return {
    ticket: fragment.get('ticket'),
    isLink: given === linkPath,
    next: isPage ? given.slice(base.length) || routes.home : routes.home,
    outside: isPage ? null : given,
  }
}

/** The code of `?sso_error=` as an error in words. */
function ssoErrorOf(code: string): ApiError {
  const { message, hint } = texts.errors[code] ?? texts.unknownError
  return failureHere(code, message, hint)
}

/** An error of the API in words for people. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const words = texts.errors[error.failure.code]
  return words ? new ApiError({ ...error.failure, ...words, is_own: true }) : error
}

export type PendingLink = {
  ticket: string
  provider: string
  email: string
  methods: readonly unknown[]
}

/** The link that a 409 sso_link_needed asks to confirm, or null for another error. */
export function pendingLinkOf(error: unknown): PendingLink | null {
  if (!(error instanceof ApiError) || error.failure.code !== 'sso_link_needed') return null
  const link: unknown = error.failure.facts.link
  return isPendingLink(link) ? link : null
}

function isPendingLink(link: unknown): link is PendingLink {
  return (
    typeof link === 'object' &&
    link !== null &&
    'ticket' in link &&
    'provider' in link &&
    'email' in link &&
    'methods' in link &&
    Array.isArray(link.methods)
  )
}
