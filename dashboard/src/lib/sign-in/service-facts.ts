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

let kept: Promise<Facts> | null = null

async function readFacts(): Promise<Facts> {
  const [signUp, service] = await Promise.all([
    answerOf(getSignUpConfig()),
    answerOf(getDashboardConfig()),
  ])
  return { signUp, service }
}

export function useServiceFacts(): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'reading' })
  useEffect(() => {
    kept ??= readFacts()
    kept.then(
      (facts) => setReading({ state: 'read', ...facts }),
      (error: unknown) => {
        kept = null
        setReading({ state: 'failed', error })
      },
    )
  }, [])
  return reading
}

export function useIsSandbox(): boolean {
  const facts = useServiceFacts()
  return facts.state === 'read' && facts.service.environment === 'sandbox'
}
