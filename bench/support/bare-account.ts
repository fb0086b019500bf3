// A program, the peer of `account`: one Fastify route with one indexed select through our database
// client.
import Fastify from 'fastify'
import { customerOf } from '../../src/capabilities/account/customer.ts'
import { customerOfId } from '../../src/capabilities/account/customers.sql.ts'
import { openDatabase } from '../../src/db/database.ts'

const { DATABASE_URL: url = '', CUSTOMER_ID: id = '' } = process.env
const db = await openDatabase({ url, app_role: 'agent_registrar_app' })
const server = Fastify({ logger: false })
server.get('/account', async () => customerOf(await db.one(customerOfId, { id })))
process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`)
