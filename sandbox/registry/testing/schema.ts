// Validates frames against the IETF schemas, if they are present in EPP_XSD_DIR or ../shared/xsd.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

const repository = resolve(import.meta.dirname, '../../..')
const folder = process.env.EPP_XSD_DIR ?? resolve(repository, '../shared/xsd')
const file = join(folder, 'all.xsd')

/** Why frames are not validated against the schemas, or false if they are. */
export const schemasMissing: string | false = existsSync(file)
  ? false
  : `no EPP schemas in ${folder}: set EPP_XSD_DIR to validate the answers`

let validator: XsdValidator | null = null

function open(): XsdValidator {
  if (validator !== null) return validator
  xmlRegisterFsInputProviders()
  using document = XmlDocument.fromBuffer(readFileSync(file), { url: file })
  validator = XsdValidator.fromDoc(document)
  return validator
}

/** Throws if the frame is invalid, and does nothing without schemas. */
export function requireValid(frame: string): void {
  if (schemasMissing !== false) return
  using document = XmlDocument.fromString(frame)
  try {
    open().validate(document)
  } catch (error) {
    throw new Error(`not valid: ${error instanceof Error ? error.message : error}\n${frame}`)
  }
}
