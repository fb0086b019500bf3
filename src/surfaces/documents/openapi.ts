// The OpenAPI 3.1 document is made of the catalog: an operation is described by its own definition.
import { type Operation, scopes } from '../../app.ts'
import { sessionCookieName } from '../../capabilities/sign-in/index.ts'
import type { Settings } from '../../config/config.ts'
import { areaDescription } from '../descriptions/area-descriptions.ts'
import {
  bodyExampleOf,
  byArea,
  type Field,
  hasBody,
  plain,
  requestFields,
  scopesOf,
  toolNames,
} from '../descriptions/operation-docs.ts'
import { headers, Responses } from './openapi/responses.ts'
import { Components } from './openapi/schemas.ts'
import { usesOf } from './urls.ts'

type OpenApiDocument = {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, object>>
  components: Record<string, object>
}

type Roots = Pick<Settings, 'base_url' | 'mcp_url' | 'environment'>

/**
 * The same operations and roots give the same text. Without `sentences`, the document leaves out
 * those that are the same for each operation, because a generated client would repeat them for
 * each.
 */
export function openApiDocument(
  operations: readonly Operation[],
  settings: Roots,
  { sentences = true } = {},
): OpenApiDocument {
  const components = new Components()
  const responses = new Responses(components, { sentences })
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = entryOf(operation, { components, responses })
  }
  const { base_url, mcp_url, environment } = settings
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Registrar',
      version: '0.1.0',
      description: describe(mcp_url),
      contact: { name: 'Agent Registrar', url: `${base_url}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base_url, description: environment }],
    tags: byArea(operations).map(([name]) => tagOf(name)),
    paths,
    components: {
      schemas: components.schemas(),
      responses: responses.shared(),
      headers,
      securitySchemes: securitySchemes(settings, operations),
    },
  }
}

function tagOf(name: string): { name: string; description?: string } {
  const description = areaDescription(name)
  return description === undefined ? { name } : { name, description }
}

function describe(mcpUrl: string): string {
  return [
    'A domain-name registrar for software agents and the people who own them.',
    `The same operations are tools of an MCP server at ${mcpUrl}/mcp.`,
    'Money is a decimal string. An id, a code, an error code never changes its meaning.',
    'A refusal names a code and the next action; a 422 lists every field that is wrong.',
  ].join(' ')
}

function securitySchemes(settings: Roots, operations: readonly Operation[]): object {
  const { base_url } = settings
  const token_url = `${base_url}/oauth/token`
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key, a session or an operator key. A key needs the scope that the oauth2 ' +
        'requirement of the same operation lists.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        `A token that a customer consents to, with PKCE (S256) and resource=${base_url}. ` +
        'A token for the MCP endpoint is not valid here.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${base_url}/oauth/authorize`,
          tokenUrl: token_url,
          refreshUrl: token_url,
          scopes: usesOf(operations, scopes, ({ name }) => [name]),
        },
      },
      // OpenAPI 3.2 has a field for this, and 3.1 takes extensions.
      'x-oauth2-metadata-url': `${base_url}/.well-known/oauth-authorization-server`,
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(settings),
      description:
        'The session of a browser, set where "X-Session: cookie" asks for it. Changes need ' +
        '"X-Session: cookie", too, and a page of this origin. A bearer token takes precedence.',
    },
    CustomerToolReadKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Customer-Tool-Key',
      description: 'The key of the read-only customer tool, and of nothing else.',
    },
  }
}

type Parts = { components: Components; responses: Responses }

function entryOf(operation: Operation, { components, responses }: Parts): object {
  const { name, does, more, area } = operation
  const fields = requestFields(operation)
  const parameters = fields
    .filter(({ location }) => location !== 'body')
    .map((field) => parameterOf(field, components))
  const tools = toolNames(operation)
  return {
    operationId: name,
    summary: does,
    description: more ?? does,
    tags: [area],
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody(operation) ? { requestBody: bodyOf(operation, fields, components) } : {}),
    ...(operation.raw_body ? { requestBody: { content: { 'application/json': {} } } } : {}),
    responses: responses.of(operation),
    ...(tools.length === 0 ? {} : { 'x-mcp-tools': tools }),
  }
}

/**
 * Only oauth2 names the scope, because linters and generators take the scopes of a bearer scheme
 * for a mistake, although OpenAPI 3.1 allows them as roles.
 */
function securityOf(operation: Operation): object[] {
  const { about, in_person } = operation.who
  if (about === 'customer_tool') return [{ CustomerToolReadKey: [] }]
  const bearer = { bearer: [] }
  const session = { session: [] }
  // Operators' operations and those of the owner in person need no consent.
  if (about === 'service') return [bearer]
  if (in_person) return [bearer, session]
  const oauth2 = { oauth2: scopesOf(operation) }
  return about === 'anyone' ? [{}, bearer, oauth2, session] : [bearer, oauth2, session]
}

function parameterOf({ name, location, required, schema }: Field, components: Components): object {
  const { description, ...rest } = schema
  return {
    name,
    in: location,
    ...(required ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: components.place(rest),
  }
}

/**
 * The schema of the body. It has the input's own title, because the input's other fields travel
 * elsewhere.
 */
function bodyOf(operation: Operation, fields: Field[], components: Components): object {
  const inBody = fields.filter(({ location }) => location === 'body')
  const required = inBody.filter((field) => field.required).map(({ name }) => name)
  const { title } = plain(operation.takes)
  const schema = components.place({
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties: Object.fromEntries(inBody.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    ...(operation.at_least_one_of === undefined ? {} : { minProperties: 1 }),
    additionalProperties: false,
  })
  const example = bodyExampleOf(operation)
  const content = { schema, ...(example === undefined ? {} : { example }) }
  return { required: required.length > 0, content: { 'application/json': content } }
}
