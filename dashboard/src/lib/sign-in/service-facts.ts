// Facts about the service that pages show before the log-in, read once for each page load. Without
// TanStack Query, which those pages do not load.
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
