// Client of the sandbox's control plane, which sets its clock and its faults over HTTP.

import Type from 'typebox'
import type { DomainName } from '../../kit/random.ts'
import { compile, stringOf } from '../../kit/schema.ts'

/** Where a control plane listens, and the bearer token that it wants. */
export type ControlEndpoint = { url: string; token: string }

/**
 * A fault to arm, by one of the sandbox's names; a selector that is left out matches everything.
 */
type SandboxFault = {
  name: string
  registry?: string
  command?: string
  domain?: DomainName
  registrar?: string
  /** How many commands it hits, or null for all until it is cleared. */
  times?: number | null
  delay_ms?: number
  /** EPP's result code for the fault `answer`, and the words with it. */
  code?: number
  reason?: string
}
type SandboxFaults = {
  /** Every name, with its effect. */
  known: { name: string; does: string }[]
  armed: SandboxFault[]
}

/** Every member may throw SandboxRefusal or SandboxUnreachable. */
export type SandboxControl = {
  /** The time of the sandbox registries. */
  now: () => Promise<Date>
  /** Moves it forward and applies everything that falls due. Returns the new time. */
  advance: (ms: number) => Promise<Date>
  faults: () => Promise<SandboxFaults>
  setFault: (fault: SandboxFault) => Promise<void>
  clearFaults: () => Promise<void>
}

/** It understood the request and refused it; the message says why. */
export class SandboxRefusal extends Error {}
/** No usable answer arrived, so the request may have been carried out. */
export class SandboxUnreachable extends Error {}

const clockShape = compile(Type.Object({ now: Type.String({ format: 'date-time' }) }))
const armedShape = Type.Object({
  name: Type.String(),
  registry: Type.Optional(Type.String()),
  command: Type.Optional(Type.String()),
  domain: Type.Optional(stringOf<DomainName>()),
  registrar: Type.Optional(Type.String()),
  times: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  delay_ms: Type.Optional(Type.Number()),
  code: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
})
const faultsShape = compile(
  Type.Object({
    known: Type.Record(Type.String(), Type.Object({ does: Type.String() })),
    armed: Type.Array(armedShape),
  }),
)
const refusalShape = compile(Type.Object({ error: Type.String() }))

// Longer than a jump of years takes in a store of thousands of domains.
const timeout_ms = 30_000

/** Opens nothing, because each call is one request. */
export function openSandboxControl({ url, token }: ControlEndpoint): SandboxControl {
  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeout_ms),
    })
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch((cause) => {
        throw new SandboxUnreachable('The sandbox registries do not answer.', { cause })
      })
    if (answer.status === 200) return answer.body
    const words = refusalShape.check(answer.body) ? answer.body.error : `status ${answer.status}`
    throw answer.status === 400 ? new SandboxRefusal(words) : new SandboxUnreachable(words)
  }
  return {
    now: async () => new Date(clockShape.parse(await ask('GET', '/clock')).now),
    advance: async (advance_ms) =>
      new Date(clockShape.parse(await ask('POST', '/clock', { advance_ms })).now),
    async faults() {
      const { known, armed } = faultsShape.parse(await ask('GET', '/faults'))
      return {
        known: Object.entries(known).map(([name, { does }]) => ({ name, does })),
        armed,
      }
    },
    setFault: async (fault) => {
      await ask('POST', '/faults', fault)
    },
    clearFaults: async () => {
      await ask('DELETE', '/faults')
    },
  }
}
