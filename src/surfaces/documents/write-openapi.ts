// Prints the OpenAPI document for the generator of sdk/, as the sandbox at its usual place serves
// it, but without the sentences that are the same for each operation.
import { operations } from '../../catalog.ts'
import { openApiDocument } from './openapi.ts'

const base_url = 'http://127.0.0.1:8080'
const roots = { base_url, mcp_url: base_url, environment: 'sandbox' } as const
process.stdout.write(JSON.stringify(openApiDocument(operations, roots, { sentences: false })))
