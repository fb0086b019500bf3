// The measure and the trace of an exchange, shared by the adapters of all protocols.
import { type Attributes, type Meter, traced, type Work } from '../../kit/telemetry.ts'
import type { Outcome } from './port.ts'

/** How an outcome is counted: its kind, and its reason or cause. */
function resultOf(outcome: Outcome<unknown>): { result: string; reason?: string } {
  if (outcome.kind === 'refused') return { result: outcome.kind, reason: outcome.reason }
  if (outcome.kind === 'unknown') return { result: outcome.kind, reason: outcome.cause }
  return { result: outcome.kind }
}

type Named = {
  /** The registry. */
  peer: string
  /** The command, without its object. */
  call: string
  place: Attributes
}
type By = { now: () => number; meter: Meter | undefined }

/** A span, and one count with its duration, by the kind of the outcome and its reason. */
export function observed<T>(
  { peer, call, place }: Named,
  { now, meter }: By,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const work = (): Work => ({
    name: call,
    kind: 'client',
    attributes: { 'agent_registrar.registry': peer, ...place },
  })
  return traced(work, async (span) => {
    const began_ms = now()
    const outcome = await run()
    const { result: counted, reason } = resultOf(outcome)
    const seconds = (now() - began_ms) / 1_000
    meter?.({ peer, call, seconds, result: counted, ...(reason !== undefined && { reason }) })
    span?.set({
      'agent_registrar.outcome': reason === undefined ? counted : `${counted} ${reason}`,
    })
    if (outcome.kind === 'unknown') span?.fail(outcome.cause)
    return outcome
  })
}
