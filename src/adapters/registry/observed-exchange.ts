// Measures and traces one exchange with a registry, whatever its protocol.
import { type Attributes, type Meter, traced, type Work } from '../../kit/telemetry.ts'
import { type Outcome, resultOf } from './outcome.ts'

type Named = {
  /** The registry. */
  peer: string
  /** The command, without what it is about. */
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
    const { result, reason } = resultOf(outcome)
    const seconds = (now() - began_ms) / 1_000
    meter?.({ peer, call, seconds, result, ...(reason !== undefined && { reason }) })
    span?.set({ 'agent_registrar.outcome': reason === undefined ? result : `${result} ${reason}` })
    if (outcome.kind === 'unknown') span?.fail(outcome.cause)
    return outcome
  })
}
