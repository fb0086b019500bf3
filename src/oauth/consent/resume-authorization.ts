// The step from a consent to its code: once, and in the log-in that gave it.
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../../app.ts'
import { DatabaseUnavailable } from '../../db/database.ts'
import { temporarilyUnavailable } from '../provider/error-page.ts'
import type { Library } from '../provider/load-oidc-provider.ts'
import { resumeGrant } from '../storage/browser-sessions.sql.ts'

type Parts = { app: Pick<App, 'db'>; library: Library }

/**
 * The grant of the consent that was just given. Each is one of its own: what an earlier one gave is
 * not carried over. Throws SessionNotFound, which is told on a page, where the browser went on
 * before, or the consent or its log-in ended: the program may have its code already.
 */
export async function grantToResume({ app, library }: Parts, { oidc }: KoaContextWithOIDC) {
  const id = oidc.result?.consent?.grantId
  if (id === undefined || !oidc.session) return undefined
  try {
    const { may } = await app.db.one(resumeGrant, [id, oidc.session.uid])
    const grant = may ? await oidc.provider.Grant.find(id) : undefined
    if (grant) return grant
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? temporarilyUnavailable(library, error) : error
  }
  const over = new library.errors.SessionNotFound('this answer was used already')
  throw Object.assign(over, { allow_redirect: false })
}
