// Responses of the OpenAPI document. A refusal by the pipeline is written once, under components,
// and pointed at, because nearly all operations have the same.
import type { Operation } from '../../../app.ts'
import { type FaultType, kinds } from '../../../kit/fault.ts'
import { fileContent, textContent } from '../../../replies/download.ts'
import { eventStreamContent } from '../../../replies/event-stream.ts'
import { byStatus, faultsOf, plain, type Schema } from '../../descriptions/operation-docs.ts'
import { commonFaults } from '../../pipeline/faults.ts'
import { type Components, problem, validationError } from './schemas.ts'

export const headers = {
  RequestId: {
    description: 'Identifies this request in logs and for support.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining units of each quota (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const pointTo = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })
const usualHeaders = { 'X-Request-Id': pointTo('RequestId') }
const common: readonly FaultType[] = commonFaults

/** Collects the responses of the pipeline while a document is written. */
export class Responses {
  readonly #shared = new Map<string, object>()
  readonly #components: Components
  readonly #sentences: boolean

  /** `sentences` says whether to write those that are the same for each operation. */
  constructor(components: Components, { sentences }: { sentences: boolean }) {
    this.#components = components
    this.#sentences = sentences
  }

  /** The responses of an operation, by status. */
  of(operation: Operation): Record<string, object> {
    const responses: Record<string, object> = {
      [operation.status ?? 200]: this.#success(operation),
    }
    for (const [status, faults] of byStatus(faultsOf(operation)))
      responses[status] = faults.every((one) => common.includes(one))
        ? this.#pipelines(faults)
        : this.#refusal(faults, this.#schemaOf(faults))
    responses[422] = this.#share('InvalidRequest', () => ({
      description: this.#words('The request is invalid: every invalid field.'),
      headers: usualHeaders,
      content: { 'application/json': { schema: this.#components.place(validationError) } },
    }))
    return responses
  }

  /** The responses that were pointed at, by name. */
  shared(): Record<string, object> {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #success({ status, gives, downloads }: Operation): object {
    const schema = this.#components.place(gives)
    const isStream = gives === eventStreamContent
    const json = gives === fileContent || isStream ? {} : { 'application/json': { schema } }
    const isText = downloads?.startsWith('text/') ?? false
    const other = isStream ? eventStreamContent : isText ? textContent : fileContent
    const file = downloads === undefined ? {} : { [downloads]: { schema: other } }
    return {
      description: this.#words('Done.'),
      headers: { ...usualHeaders, RateLimit: pointTo('RateLimit') },
      ...(status === 204 ? {} : { content: { ...json, ...file } }),
    }
  }

  /**
   * The response of the pipeline. Its codes, in one order, make its name, as in
   * "UnauthenticatedOrInvalidToken".
   */
  #pipelines(faults: readonly FaultType[]): object {
    const ordered = common.filter((one) => faults.includes(one))
    const name = ordered.map(({ code }) => pascal(code)).join('Or')
    return this.#share(name, () => {
      const schema = this.#schemaOf(ordered)
      const isPlaced = schema.$ref !== undefined
      const placed = isPlaced
        ? schema
        : this.#components.place({ title: `${name}Problem`, ...schema })
      return this.#refusal(ordered, placed)
    })
  }

  #refusal(faults: readonly FaultType[], schema: Schema): object {
    const waits = faults.some(({ kind }) => kinds[kind].next === 'wait_and_retry')
    const shown = this.#sentences ? faults : faults.filter((one) => !common.includes(one))
    return {
      description: shown.map(({ code, sentence }) => `\`${code}\`: ${sentence}`).join('\n\n'),
      headers: waits ? { ...usualHeaders, 'Retry-After': pointTo('RetryAfter') } : usualHeaders,
      content: { 'application/problem+json': { schema } },
    }
  }

  /** The schema of a problem. A code with facts has a schema of its own, by its name. */
  #schemaOf(faults: readonly FaultType[]): Schema {
    const base = this.#components.place(problem)
    const bare = faults.filter(({ facts }) => Object.keys(facts).length === 0)
    const others = faults.filter((one) => !bare.includes(one))
    const all: Schema[] = others.map(({ code, facts }) => {
      const own = this.#components.place(codesWith([code], facts))
      const title = `${pascal(code)}Problem`
      return this.#components.place({ title, allOf: [base, { ...own, required: ['code'] }] })
    })
    if (bare.length > 0) all.push({ allOf: [base, codesWith(bare.map(({ code }) => code))] })
    const [only] = all
    return only && all.length === 1 ? only : { anyOf: all }
  }

  #share(name: string, write: () => object): object {
    if (!this.#shared.has(name)) this.#shared.set(name, write())
    return { $ref: `#/components/responses/${name}` }
  }

  #words(sentence: string): string {
    return this.#sentences ? sentence : ''
  }
}

function codesWith(codes: string[], facts: FaultType['facts'] = {}): Schema {
  return {
    type: 'object',
    properties: { code: { type: 'string', enum: codes }, ...factsOf(facts) },
  }
}

function factsOf(facts: FaultType['facts']): Record<string, Schema> {
  return Object.fromEntries(Object.entries(facts).map(([name, one]) => [name, plain(one)]))
}

function pascal(code: string): string {
  return code.replaceAll(/(^|_)([a-z0-9])/g, (_, _before, initial: string) => initial.toUpperCase())
}
