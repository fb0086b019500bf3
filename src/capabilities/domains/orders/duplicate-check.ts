// Idempotency of paid requests: what the same request made before, and what of the customer's own
// stands against it.
import { type App, type Call, Reply } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { domainAlreadyHeld, orderOpen } from '../faults.ts'
import { operationOf, statusOfHolding } from '../holdings/domain-presenter.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import type { DomainStatus } from '../schemas.ts'
import { adopt, answerOfKey, type Key } from './idempotency.ts'
import type { Order } from './order.ts'
import { answerOfOrder, firstAnswer } from './order-response.ts'
import { lastOrder, orderById, standingOf } from './orders.sql.ts'

/** A paid request: `digest` is of what it buys, `key` of all that it says. */
export type Asked = {
  domain: string
  digest: string
  key: Key | null
  /** Whether the domain is to become the customer's, and so must not be theirs yet. */
  gains: boolean
}

/**
 * The answer to the same request as before: of its key, or of its order while that is open.
 * Throws 409 order_open for another request's open order, 409 domain_already_held for a domain that
 * is to be gained and is the customer's. Decided by one snapshot: read one after the other, the
 * order of the same request could end in between and its own result would refuse it.
 */
export async function madeBefore(
  app: App,
  call: Call,
  asked: Asked,
): Promise<Reply<DomainStatus> | undefined> {
  const { domain, key, gains } = asked
  const standing = await call.sql.one(standingOf, [call.customer_id, domain, key?.key ?? null])
  const earlier = key ? await answerOfKey(app, call, { key, standing }) : undefined
  if (earlier) return earlier
  if (standing.open_order !== null) {
    const order = await call.sql.one(orderById, [standing.open_order, call.customer_id])
    return answerOpenOrder(app, call, { ...asked, order })
  }
  if (gains && standing.holding !== null) throw await alreadyHeld(app, call, domain)
  return undefined
}

async function alreadyHeld(app: App, call: Call, domain: string): Promise<Fault> {
  const holding = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  const last = await call.sql.maybe(lastOrder, [call.customer_id, domain])
  const now = app.calendar.now()
  return domainAlreadyHeld(
    holding ? { facts: { holding: statusOfHolding(holding, last, now) } } : {},
  )
}

/**
 * An order of the customer that was open a moment ago: its answer, or 409 order_open for another
 * request, as one with another key is.
 */
export async function answerOpenOrder(
  app: App,
  call: Call,
  { digest, key, order }: Pick<Asked, 'digest' | 'key'> & { order: Order },
): Promise<Reply<DomainStatus>> {
  const same = order.digest === digest && (key === null || (await adopt(call, key, order.id)))
  if (same) return new Reply(firstAnswer(await answerOfOrder(app, call.sql, order), order.type), {})
  throw orderOpen({ facts: { operation: operationOf(order) } })
}

/**
 * What `work` answers. What it refuses may be the result of the same request, heard a moment
 * earlier: then that one's answer.
 */
export async function unlessMade<T>(
  made: () => Promise<Reply<DomainStatus> | undefined>,
  work: () => Promise<T>,
): Promise<T | Reply<DomainStatus>> {
  try {
    return await work()
  } catch (refusal) {
    const before = refusal instanceof Fault ? await made() : undefined
    if (before) return before
    throw refusal
  }
}
