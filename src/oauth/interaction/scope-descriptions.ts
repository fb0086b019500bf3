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
import { holdsScope, type Scope, withoutIncluded } from '../../app.ts'

const service: Readonly<Record<Scope, ScopeFacts>> = scopeFacts

// These scopes identify the user and change nothing (OpenID Connect Core 1.0 section 5.4).
const identity: Readonly<Record<string, ScopeFacts>> = {
  profile: { group: 'account', preset: 'read', words: identityWords.profile },
  email: { group: 'account', preset: 'read', words: identityWords.email },
}

/**
 * These are granted without a checkbox: `openid` reveals only the account's id, and every client
 * stays connected until its owner disconnects it, with `offline_access` or without.
 */
const implicit: readonly string[] = ['openid', 'offline_access']

const known = new Map([...Object.entries(service), ...Object.entries(identity)])
const order = [...known.keys()]

/** The description of a scope, or undefined for an unknown one and for one without a checkbox. */
export function scopeDescription(scope: string): ScopeFacts | undefined {
  return known.get(scope)
}

/**
 * Whether the scope moves domains away or gives access to others. It is never selected by default.
 */
export function isPowerful(scope: string): boolean {
  return known.get(scope)?.preset === null
}

/** Whether the scope spends money or is powerful. */
export function isSensitive(scope: string): boolean {
  return isPowerful(scope) || scope === 'domains:purchase'
}

/** Whether one of these scopes lets an app change DNS records. */
export function mayChangeRecords(granted: readonly string[]): boolean {
  return holdsScope(new Set(granted), 'dns:write')
}

/** `selectable` have a checkbox each, in the order of the documentation; `implicit` have none. */
export type RequestedScopes = { selectable: readonly string[]; implicit: readonly string[] }

/** The scopes of a request without unknown ones, which its tokens do not have either. */
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

/** The requested scopes that a preset has. */
export function scopesOfPreset(
  { selectable }: Pick<RequestedScopes, 'selectable'>,
  name: PresetName,
): string[] {
  const inPreset = selectable.filter((scope) => {
    const facts = known.get(scope)
    return facts !== undefined && isInPreset(facts, name)
  })
  return withoutIncluded(inPreset)
}

/**
 * `keep` keeps the access that an app has already, and `extend` adds the access that it requests.
 */
export type Choice = PresetName | 'keep' | 'extend'

/** A request. `held` are the scopes that its app has already, or null if it is not connected. */
type AppRequest = Pick<RequestedScopes, 'selectable'> & { held: readonly string[] | null }

export function scopesOfChoice(request: AppRequest, choice: Choice): string[] {
  const { selectable, held } = request
  if (choice === 'extend') return held === null ? [] : withoutIncluded(selectable)
  if (choice === 'keep') return withoutIncluded(among(selectable, held ?? []))
  return scopesOfPreset(request, choice)
}

export function newScopes({ selectable, held }: AppRequest): string[] {
  if (held === null) return []
  const all = new Set(held)
  return withoutIncluded(selectable.filter((scope) => !holdsScope(all, scope)))
}

/** The scopes of `requested` that `held` has, by themselves or within others. */
export function among(requested: readonly string[], held: readonly string[]): string[] {
  const all = new Set(held)
  return requested.filter((scope) => holdsScope(all, scope))
}

/** The scopes that the app has without requesting them now, because earlier consents give them. */
export function keptScopes({ selectable, held }: AppRequest): string[] {
  const asked = new Set(selectable)
  const kept = (held ?? []).filter((scope) => known.has(scope) && !holdsScope(asked, scope))
  return withoutIncluded(kept)
}

/**
 * The presets that differ for this request, with that of DNS records where it names their scope.
 */
export function offeredPresets(requested: Pick<RequestedScopes, 'selectable'>): PresetName[] {
  const seen = new Set([''])
  return presetNames.filter((name) => {
    if (name === 'dns' && !requested.selectable.includes('dns:write')) return false
    const scopes = scopesOfPreset(requested, name).join(' ')
    const isOther = !seen.has(scopes)
    seen.add(scopes)
    return isOther
  })
}

/** The requested scopes in their groups, without groups that have none. */
export function groupsOf({
  selectable,
}: Pick<RequestedScopes, 'selectable'>): [ScopeGroupName, string[]][] {
  return [...Map.groupBy(selectable, (scope) => known.get(scope)?.group ?? 'account')]
}
