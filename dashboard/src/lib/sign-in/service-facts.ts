// Facts about the service that do not change while a page is open, read once for each load. They do
// not use TanStack Query, which the pages before the log-in do not load.
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

/** Reads the facts once, and again after a failure. */
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
 * The facts, which are read until they are known. Facts that were read earlier are in the first
 * render, so that nothing moves afterwards.
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
 * The root URLs for programs, from the settings: PUBLIC_URL may differ from the origin of this
 * page, and MCP clients compare the endpoint with the one that the metadata names.
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

/** The name servers of the service, for domains without others; empty until they are known. */
export function useOwnNameservers(): readonly string[] {
  const facts = useServiceFacts()
  return facts.state === 'read' ? facts.service.nameservers : []
}
