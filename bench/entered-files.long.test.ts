// bin/bench entered-files reports the files that each of its three requests executes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** By the first words of a request's line: a file that it must execute. */
const executed = {
  'POST /v1/domains': 'src/capabilities/domains/orders/purchase.ts',
  'POST /mcp': 'src/surfaces/mcp/endpoint.ts',
  'POST /oauth/token': 'src/oauth/storage/redemption-transaction.ts',
}

test('reports every file that a purchase, a tool call and a redemption execute', async () => {
  const { code, printed } = await new Promise<{ code: unknown; printed: string }>((resolve) => {
    const command = join(root, 'bin/bench')
    execFile(command, ['entered-files'], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, printed: stdout + stderr }),
    )
  })
  assert.equal(code, 0, printed)
  for (const [request, file] of Object.entries(executed)) {
    const report = printed.split('\n\n').find((part) => part.trimStart().startsWith(request)) ?? ''
    const [first = '', ...files] = report.trim().split('\n')
    assert.match(first, new RegExp(`: ${files.length} files$`), printed)
    assert.ok(files.includes(`  ${file}`), printed)
  }
})
