// MCP's own conformance suite against the service's transport with the tools, resources and prompts
// that the suite asks for.
import { ofFixtures } from './expected.ts'
import { startFixture } from './fixture.ts'
import { compareWithExpected } from './suite.ts'

const url = await startFixture()

compareWithExpected(url, '2025-06-18', ofFixtures['2025-06-18'])
compareWithExpected(url, '2025-11-25', ofFixtures['2025-11-25'])
compareWithExpected(url, '2026-07-28', ofFixtures['2026-07-28'])
