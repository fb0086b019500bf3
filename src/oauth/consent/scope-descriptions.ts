// Descriptions of scopes on the consent page, and the marks of those that need a second look.

import {
  identityWords,
  isInPreset,
  type PresetName,
  presetNames,
  type ScopeFacts,
  type ScopeGroupName,
  scopeFacts,
} from '../../../shared/scopes.ts'
import type { Scope } from '../../app.ts'

const service: Readonly<Record<Scope, ScopeFacts>> = scopeFacts

// OpenID Connect Core 1.0 section 5.4; they identify you and change nothing.
const identity: Readonly<Record<string, ScopeFacts>> = {
  profile: { group: 'account', preset: 'read', words: identityWords.profile },
  email: { group: 'account', preset: 'read', words: identityWords.email },
}

/**
 * Granted without a checkbox: `openid` reveals only the account's id, and every client stays
 * connected until its owner disconnects it, with `offline_access` or without.
 */
const implicit: readonly string[] = ['openid', 'offline_access']

const known = new Map([...Object.entries(service), ...Object.entries(identity)])
const order = [...known.keys()]

/** Undefined for a scope without a checkbox, and for an unknown one. */
export function scopeDescription(scope: string): ScopeFacts | undefined {
  return known.get(scope)
}

/** Whether it moves domains away, or gives access to others: never selected by default. */
export function isPowerful(scope: string): boolean {
  return known.get(scope)?.preset === null
}

/** Whether it spends money, or is powerful. */
export function isSensitive(scope: string): boolean {
  return isPowerful(scope) || scope === 'domains:purchase'
}

/** `selectable` have a checkbox each, in the order of the documentation; `implicit` have none. */
export type RequestedScopes = { selectable: readonly string[]; implicit: readonly string[] }

/** The scopes of a request; unknown ones are left out, as they are from its tokens. */
export function requestedScopesOf(scope: string): RequestedScopes {
  const words = scope.split(' ')
  return {
    selectable: order.filter((one) => words.includes(one)),
    implicit: implicit.filter((one) => words.includes(one)),
  }
}

/** The scopes that are selected when the page is first shown. */
export function selectedByDefault({ selectable }: Pick<RequestedScopes, 'selectable'>): string[] {
  return scopesOfPreset({ selectable }, 'buy')
}

/** Those of the request that a preset has. */
export function scopesOfPreset(
  { selectable }: Pick<RequestedScopes, 'selectable'>,
  name: PresetName,
): string[] {
  return selectable.filter((scope) => {
    const facts = known.get(scope)
    return facts !== undefined && isInPreset(facts, name)
  })
}

/** `keep`: as an app has it already; `extend`: and what it requests beyond. */
export type Choice = PresetName | 'keep' | 'extend'

/** A request; `held`: what its app has of it already, null: it is not connected. */
type AppRequest = Pick<RequestedScopes, 'selectable'> & { held: readonly string[] | null }

export function scopesOfChoice(request: AppRequest, choice: Choice): string[] {
  const { selectable, held } = request
  if (choice === 'extend') return held === null ? [] : [...selectable]
  if (choice === 'keep') return selectable.filter((scope) => held?.includes(scope))
  return scopesOfPreset(request, choice)
}

export function newScopes({ selectable, held }: AppRequest): string[] {
  return held === null ? [] : selectable.filter((scope) => !held.includes(scope))
}

/** Those that the app has without requesting them now: earlier consents give them. */
export function keptScopes({ selectable, held }: AppRequest): string[] {
  return (held ?? []).filter((scope) => known.has(scope) && !selectable.includes(scope))
}

/** Presets that differ for this request, from the narrowest on. */
export function offeredPresets(requested: Pick<RequestedScopes, 'selectable'>): PresetName[] {
  let before = 0
  return presetNames.filter((name) => {
    const { length } = scopesOfPreset(requested, name)
    const isMore = length > before
    before = length
    return isMore
  })
}

/** The requested scopes in their groups, without groups that have none. */
export function groupsOf({
  selectable,
}: Pick<RequestedScopes, 'selectable'>): [ScopeGroupName, string[]][] {
  return [...Map.groupBy(selectable, (scope) => known.get(scope)?.group ?? 'account')]
}
