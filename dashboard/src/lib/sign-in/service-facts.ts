// Facts about the service that do not change while a page is open, read once for each load. Without
// TanStack Query, which the pages before the log-in do not load.
import { useEffect, useState } from 'react'
import {
  type DashboardConfigResponse,
  type DashboardSignupConfigResponse,
  getDashboardConfig,
  getSignUpConfig,
} from 'sdk'
import { answerOf } from '../api.ts'

type Facts = { signUp: DashboardSignupConfigResponse; service: DashboardConfigResponse }
type Reading =
  | { state: 'reading' }
  | { state: 'failed'; error: unknown }
  | ({ state: 'read' } & Facts)

const again_ms = 5_000

let asked: Promise<Reading> | null = null
let settled: Reading = { state: 'reading' }

/** Once, and again after a failure. */
export function readServiceFacts(): Promise<Reading> {
  asked ??= readFacts().then(
    (facts) => ({ state: 'read', ...facts }),
    (error: unknown) => {
      asked = null
      return { state: 'failed', error }
    },
  )
  return asked
}

async function readFacts(): Promise<Facts> {
  const [signUp, service] = await Promise.all([
    answerOf(getSignUpConfig()),
    answerOf(getDashboardConfig()),
  ])
  return { signUp, service }
}

/**
 * Read until they are known; those that were read before are there in the first rendering, so that
 * nothing moves after it.
 */
export function useServiceFacts(): Reading {
  const [reading, setReading] = useState(settled)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let isOver = false
    const read = async () => {
      const facts = await readServiceFacts()
      if (facts.state === 'read') settled = facts
      if (isOver) return
      setReading(facts)
      if (facts.state === 'failed') timer = setTimeout(() => void read(), again_ms)
    }
    void read()
    return () => {
      isOver = true
      if (timer !== null) clearTimeout(timer)
    }
  }, [])
  return reading
}

/**
 * The roots for programs, by the settings: PUBLIC_URL may differ from the origin of this page, and
 * clients of MCP compare its endpoint with the one that the metadata names.
 */
export function useServiceUrls(): { base_url: string; mcp_endpoint: string } {
  const facts = useServiceFacts()
  if (facts.state !== 'read')
    return { base_url: location.origin, mcp_endpoint: `${location.origin}/mcp` }
  return { base_url: facts.service.base_url, mcp_endpoint: facts.service.mcp.endpoint }
}

export function useIsSandbox(): boolean {
  const facts = useServiceFacts()
  return facts.state === 'read' && facts.service.environment === 'sandbox'
}

/** Of the service, for domains without any others; empty until known. */
export function useOwnNameservers(): readonly string[] {
  const facts = useServiceFacts()
  return facts.state === 'read' ? facts.service.nameservers : []
}
