// MCP's own conformance suite against the service's transport with the tools, resources and prompts
// that the suite asks for.
import { ofFixtures } from './expected.ts'
import { startFixture } from './fixture.ts'
import { holdAgainst } from './suite.ts'

const url = await startFixture()

holdAgainst(url, '2025-06-18', ofFixtures['2025-06-18'])
holdAgainst(url, '2025-11-25', ofFixtures['2025-11-25'])
holdAgainst(url, '2026-07-28', ofFixtures['2026-07-28'])
