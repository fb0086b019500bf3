// Domain <renew> (RFC 5731 section 3.2.3). curExpDate is the fence: the same renew cannot count
// twice.
import { childMoment } from '../replies/dates.ts'
import { requireSameName, sameName } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, date, label, years } from './command.ts'
import { type Fee, feeAgreed } from './fee.ts'

type DomainRenewInput = {
  name: string
  /** YYYY-MM-DD, in UTC. */
  cur_exp_date: string
  period_years: number
  fee: Fee | null
}
type DomainRenewed = { name: string; expires_at: string | null }

export const domainRenew: Command<DomainRenewInput, DomainRenewed> = {
  name: 'domain renew',
  transforms: true,
  frame(input, cl_trid) {
    const action =
      `<renew><domain:renew xmlns:domain="${ns.domain}">` +
      `<domain:name>${label(input.name)}</domain:name>` +
      `<domain:curExpDate>${date(input.cur_exp_date)}</domain:curExpDate>` +
      `${years('domain', input.period_years)}</domain:renew></renew>`
    return commandFrame(cl_trid, action, feeAgreed('renew', input.fee))
  },
  identify: (reply, { name }) => requireSameName(reply, ns.domain, name),
  parse(reply, { name }) {
    const data = dataOf(reply, ns.domain, 'renData')
    return {
      name: sameName(data, ns.domain, name),
      expires_at: childMoment(data, ns.domain, 'exDate'),
    }
  },
}
