// The facts about an operation for every document, derived from its definition.
import type { FieldLocation, Operation, Scope } from '../../app.ts'
import { customerAbsent } from '../../capabilities/account/index.ts'
import { addressNotAllowed } from '../../capabilities/limits/index.ts'
import * as service from '../../errors/faults.ts'
import { type FaultType, kinds } from '../../kit/fault.ts'
import { rateLimited } from '../../rate-limits/leased-quotas.ts'
import * as common from '../pipeline/faults.ts'
import { fieldsOf, headerOf } from '../pipeline/validate.ts'

/** The part of plain JSON Schema that the definitions use. */
export type Schema = {
  type?: string
  title?: string
  description?: string
  format?: string
  pattern?: string
  enum?: (string | number)[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  minProperties?: number
  additionalProperties?: boolean | Schema
  $ref?: string
}

/** One field of a request, as it travels over HTTP. */
export type Field = {
  /** The name over HTTP, where a header has its usual capitals. */
  name: string
  location: FieldLocation
  required: boolean
  schema: Schema
}

/** A schema without the members that TypeBox adds for itself. */
export function plain(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema))
}

/** Fields in the order of their declaration. */
export function requestFields(operation: Operation): Field[] {
  const { properties = {}, required = [] } = plain(operation.takes)
  return [...fieldsOf(operation)].map(([name, { location }]) => ({
    name: location === 'header' ? capitals(headerOf(name)) : name,
    location,
    required: required.includes(name),
    schema: properties[name] ?? {},
  }))
}

function capitals(header: string): string {
  return header.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** Whether its requests have a body. */
export function hasBody(operation: Operation): boolean {
  return [...fieldsOf(operation).values()].some(({ location }) => location === 'body')
}

/**
 * A body as it may be sent, from the example of its first tool, or undefined where that shows none.
 */
export function bodyExampleOf(operation: Operation): Record<string, unknown> | undefined {
  const example = Object.entries(operation.tools?.[0]?.examples[0] ?? {})
  const body = requestFields(operation).filter(({ location }) => location === 'body')
  const shown = example.filter(([name]) => body.some((field) => field.name === name))
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

/** The token that it needs, in words. */
export function tokenOf({ who }: Operation): string {
  if (who.about === 'anyone') return 'none'
  if (who.about === 'service') return 'operator key'
  if (who.about === 'customer_tool') return 'key of the customer tool'
  if (who.about === 'known') return 'any token'
  if (who.in_person) return 'session of the owner'
  const scope = who.scope ? `scope ${who.scope}` : 'any token of the account'
  return who.operator ? `${scope}, or operator key` : scope
}

/** The scope as a list, for security requirements. */
export function scopesOf({ who }: Operation): Scope[] {
  return who.scope ? [who.scope] : []
}

/** The names of its MCP tools. */
export function toolNames({ name, tools = [] }: Operation): string[] {
  return tools.map((tool) => tool.name ?? name)
}

/**
 * All faults that it may return, beginning with its own, and then those of the pipeline that can
 * occur.
 */
export function faultsOf(operation: Operation): FaultType[] {
  const { about, scope } = operation.who
  const isSafe = operation.method === 'GET' && operation.effect === 'none'
  const givesSession = fieldsOf(operation).has('x_session')
  const takesCookie =
    !isSafe && (givesSession || !['anyone', 'service', 'customer_tool'].includes(about))
  const isTool = about === 'customer_tool'
  const pipeline: [FaultType, boolean][] = [
    [common.customerToolKeyInvalid, isTool],
    [common.unauthenticated, about !== 'anyone' && !isTool],
    [common.invalidToken, !isTool],
    [common.crossSiteRequest, takesCookie],
    [common.operatorOnly, about === 'service'],
    [common.customerRequired, about !== 'anyone' && !isTool && !operation.who.operator],
    [service.insufficientScope, scope !== null],
    [addressNotAllowed, !isTool && about !== 'service' && operation.who.in_person !== true],
    [
      service.accountSuspended,
      ['me', 'customer'].includes(about) && operation.effect !== 'none' && !operation.who.in_person,
    ],
    // An operator may name any customer.
    [customerAbsent, about === 'customer' || (about === 'service' && namesCustomer(operation))],
    [service.bodyTooLarge, hasBody(operation) || operation.raw_body === true],
    [service.unsupportedMedia, hasBody(operation)],
    [rateLimited, true],
    [service.internalError, true],
    [service.databaseUnavailable, true],
    [common.draining, true],
  ]
  const may = pipeline.filter(([, can]) => can).map(([fault]) => fault)
  return [...new Set([...operation.fails, ...may])]
}

function namesCustomer({ path }: Operation): boolean {
  return path.includes('{customer_id}')
}

/** Faults by their HTTP status, the lowest first. Within one status they stay in their order. */
export function byStatus(faults: readonly FaultType[]): [number, FaultType[]][] {
  const groups = Map.groupBy(faults, ({ kind }): number => kinds[kind].status)
  return [...groups].sort(([a], [b]) => a - b)
}

/** Operations by area, in the catalog's order. */
export function byArea(operations: readonly Operation[]): [string, Operation[]][] {
  return [...Map.groupBy(operations, ({ area }) => area)]
}
