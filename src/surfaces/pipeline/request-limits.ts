// The quotas of requests and of checked names, by the kind of caller.
import type { App, Caller } from '../../app.ts'
import type { LimitKey, Policy } from '../../rate-limits/leased-quotas.ts'
import { principalKey } from './access-control.ts'

export function limitKeyOf(caller: Caller, address: string): LimitKey {
  return caller.kind === 'anonymous' ? { address } : { principal: principalKey(caller) }
}

type Policies = Record<
  'address' | 'anonymous' | 'principal' | 'anonymousNames' | 'principalNames',
  Policy
>

export function policiesOf({ settings }: App): Policies {
  const minute = (name: string, quota: number): Policy => ({ name, quota, window_s: 60 })
  return {
    address: minute('address', settings.address_requests_per_minute),
    anonymous: minute('requests', settings.anonymous_requests_per_minute),
    principal: minute('requests', settings.requests_per_minute),
    anonymousNames: minute('names', settings.anonymous_names_per_minute),
    principalNames: minute('names', settings.names_per_minute),
  }
}
