// Run-time validation of data from outside (answers of other services, stored JSON) against a
// TypeBox schema, by Ajv. Values are never converted, and get no defaults.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'

export type Validator<T> = {
  check: (value: unknown) => value is T
  /** The value itself; throws an Error that names the first field that does not fit. */
  parse: (value: unknown) => T
}

// Compiling the schema of schemas would take longer than most of a start; each schema is tried by
// a test of its user.
const ajv = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false })
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

/** A validator of one schema; make it once. The schema is compiled at the first use. */
export function compile<S extends TSchema>(schema: S): Validator<Static<S>> {
  let compiled: ValidateFunction<Static<S>> | undefined
  function validateFunction(): ValidateFunction<Static<S>> {
    compiled ??= ajv.compile<Static<S>>(schema)
    return compiled
  }
  return {
    check(value): value is Static<S> {
      return validateFunction()(value)
    },
    parse(value) {
      const validate = validateFunction()
      if (validate(value)) return value
      const [error] = validate.errors ?? []
      throw new Error(`Value does not fit its schema: ${error?.instancePath} ${error?.message}`)
    },
  }
}
