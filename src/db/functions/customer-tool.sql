-- The columns that the role of the customer tool may read. The role gets nothing else, so no hash,
-- code, token, sealed value or other secret can be selected, whatever the query.
-- before migrations

-- Every table and view with its columns: `shown` are granted, `secret` never. A column that is in
-- neither list is not granted, and src/db/inspection/inspection.test.ts reports it. Partitions are
-- read through their table.
create or replace function inspector_columns()
returns table (relation name, shown name[], secret name[])
language sql immutable
set search_path = pg_catalog
as $$
  select relation::name, shown::name[], secret::name[] from (values
    ('access_limits', '{id,customer_id,api_key_id,oauth_client_id,spend_amount,spend_currency,
      spend_window,spent,spent_from,price_amount,price_currency,approval_amount,
      approval_currency,outside_allowed,allowed_tlds,allowed_domains,allowed_ips,
      dns_hosts,dns_types,dns_in_person,created_at,updated_at}', '{}'),
    ('api_keys', '{id,customer_id,parent_key_id,ancestors,key_prefix,name,scopes,expires_at,
      revoked_at,last_used_at,created_at,oauth_grant_id,for_mcp,made_by}', '{key_hash}'),
    ('append_only_tables', '{name,may_insert,since,fixed_columns,default_columns}', '{}'),
    ('approvals', '{id,customer_id,api_key_id,oauth_grant_id,counted_for,asked_by,agent_identifier,
      action,domain,reason,request,amount,currency,state,created_at,expires_at,
      decided_at,note,ended_at,error_code,error_detail,order_id}', '{input,request_digest,digest}'),
    ('audit_alarms', '{subject,stops_sealing,detail,raised_at,seen_at}', '{}'),
    ('audit_archived_leaves', '{number,xid,id,archive}', '{row_hash}'),
    ('audit_archives', '{name,starts_at,ends_at,row_count,first_id,last_id,first_block,last_block,
      whole_blocks,key_id,created_at,public_key}',
      '{partial_blocks,merkle_root,sha256,record_hash,signature}'),
    ('audit_blocks', '{number,era,first_id,highest_id,from_xid,from_id,to_xid,to_id,row_count,
      key_id,created_at,public_key}', '{merkle_root,previous_hash,block_hash,signature}'),
    ('audit_eras', '{era,first_id,began_at}', '{}'),
    ('audit_logs', '{id,xid,entry_point,action,actor_type,actor_label,agent_identifier,api_key_id,
      customer_id,target_type,target,result,status_code,error_code,metadata,created_at}',
      '{row_hash}'),
    ('audit_restorations', '{number,era,first_id,previous_number,lost_number,reason,key_id,
      created_at,public_key}', '{previous_hash,lost_hash,record_hash,signature}'),
    ('card_checkouts', '{id,customer_id,currency,amount_cents,status,session_id,payment_id,
      parked_reason,expires_at,read_at,created_at,updated_at}', '{session_url,return_url}'),
    ('card_readings', '{payment_id,begun,applied,parked_cents,settled_cents}', '{}'),
    ('checkout_payments', '{id,checkout_id,asset,network,decimals,transaction_id,amount,state,
      confirmations,value_currency,value_cents,withheld,at,observed_at,watched_until,treatment,
      reason,credited,taken,quoted_amount,rate_units,rate_cents,reversals,created_at,updated_at,
      block_number,block_hash,gone_readings,gone_read_at,received_units}', '{}'),
    ('checkouts', '{id,customer_id,gateway,amount,currency,status,expires_at,started_at,asset,
      network,decimals,is_pegged,required_confirmations,reference,pay_address,pay_amount,
      payment_uri,quote_units,quote_cents,watched_until,look_at,settle_at,created_at,updated_at,
      reported,reported_at,compared_at}', '{page_url}'),
    ('contacts', '{id,customer_id,handle,name,email,company_name,address,address_line_2,city,state,
      country,zip,phone_country_code,phone_number,default_registrant,default_admin,
      default_technical,default_billing,version,created_at,updated_at}', '{}'),
    ('customers', '{id,email,email_verified,name,company_name,status,default_nameservers,
      fresh_log_in_amount,fresh_log_in_currency,created_at,updated_at}', '{}'),
    ('deposit_branches', '{branch,server_started_at,database_id,table_id,next_index}', '{}'),
    ('deposit_paths', '{checkout_id,branch,address_index,created_at}', '{}'),
    ('dns_change_octets', '{customer_id,octets}', '{}'),
    ('dns_changes', '{id,pos,domain_id,customer_id,serial,action,actor_type,actor_label,entry_point,
      reverts,sets,octets,created_at}', '{}'),
    ('dns_confirmations', '{change_id,domain_id,state,reverts_at,api_key_id,oauth_grant_id,
      session_id,protected_since,kept_because,created_at,ended_at}', '{}'),
    ('nameserver_confirmations', '{change_id,domain_id,customer_id,state,before_nameservers,
      before_glue,after_nameservers,after_glue,reverts_at,api_key_id,oauth_grant_id,session_id,
      actor_type,actor_label,protected_since,locked_since,going_back_since,kept_because,created_at,
      ended_at}', '{}'),
    ('dns_record_serials', '{domain_id,serial}', '{}'),
    ('dns_record_sets', '{domain_id,path,type,host,ttl,rdata,created_at,updated_at}', '{}'),
    ('dns_scan_addresses', '{address,free_at}', '{}'),
    ('dns_scans', '{customer_id,started_at,lease_until}', '{token}'),
    ('dns_signed_requests', '{tsig_key_id,rcode,expires_at}', '{mac}'),
    ('domain_changes', '{domain,lease_until}', '{token}'),
    ('document_keys', '{kid,public_jwk,created_at,withdrawn_at}', '{sealed}'),
    ('domain_contacts', '{holder,contact_id}', '{}'),
    ('domain_schedules', '{domain_id,registry,sync_slot,sync_at,synced_at,auto_renew_at,
      delete_at}', '{}'),
    ('domain_terms', '{id,domain_id,order_id,kind,years,paid_until,created_at}', '{}'),
    ('domains', '{id,name,customer_id,order_id,registry,expiry,registry_expiry,nameservers,
      period_years,epp_statuses,rgp_statuses,locked,protected,from_reserve,auto_renew,
      auto_renew_key_id,auto_renew_grant_id,contacts,registered_at,created_at,updated_at,
      ended_at,end_reason,deletion_at,missing_since,transfer_out,auth_code_expires_at,
      wanted_nameservers,
      auth_code_unset_at,lift_hold_at,deleted_at}',
      '{auth_code_hash,auth_code_sealed,auth_code_sent_sealed}'),
    ('email_changes', '{id,customer_id,email,created_at,expires_at,used_at}', '{token_hash}'),
    ('event_cursor', '{one,era,xid,id,pos,purged_pos}', '{}'),
    ('events', '{id,pos,customer_id,type,audit_log_id,subject_type,subject_id,data,created_at}',
      '{}'),
    ('expiry_notices', '{domain_id,kind,expiry,created_at}', '{}'),
    ('gateway_cursors', '{gateway,version,observed_at}', '{cursor}'),
    ('idempotency_keys', '{customer_id,key,order_id,created_at}', '{digest,answer}'),
    ('invoice_items', '{id,invoice_id,description,quantity,unit_amount,total_amount}', '{}'),
    ('invoice_numbers', '{only_row,year,number,issued_at}', '{}'),
    ('invoices', '{id,customer_id,kind,invoice_number,status,currency,subtotal_amount,tax_amount,
      total_amount,notes,credited_invoice_id,payment_id,processor_checkout_session_id,
      processor_payment_intent_id,seller_name,seller_address,seller_tax_id,buyer_name,
      buyer_company,buyer_email,buyer_address,buyer_country,issued_at,due_at,paid_at,voided_at,
      updated_at}', '{}'),
    ('ledger_accounts', '{id,code,currency,customer_id,reserve_of,available,held,owed,updated_at,
      own_id,reserve_key}',
      '{}'),
    ('ledger_adjustments', '{id,kind,customer_id,currency,amount,operation_id,reason,transfer_id,
      created_at}', '{}'),
    ('ledger_entries', '{id,customer_id,currency,type,amount,available_after,held_after,
      description,domain,operation_id,checkout_id,invoice_id,created_at}', '{}'),
    ('ledger_transfers', '{id,debit_account,credit_account,customer_account,customer_id,currency,
      amount,phase,pending_id,code,available_after,held_after,description,domain,operation_id,
      checkout_id,invoice_id,payment_id,reversal_id,adjustment_id,created_at,own_account,
      own_reserve,own_credit_account,held_order,pending_key,credited_payment}', '{}'),
    ('ledger_trial_balance', '{code,currency,debits,credits,pending}', '{}'),
    ('ledger_checks', '{is_only,began_at,finished_at,sound,differing}', '{}'),
    ('mail_dedupe_keys', '{dedupe_key,mail_id}', '{}'),
    -- The text of a mail may hold a link or a code that opens an account.
    ('mails', '{id,customer_id,kind,dedupe_key,recipient,subject,state,created_at,ended_at,sealed,
      request_id}', '{body,html}'),
    ('mcp_client_names', '{principal,user_agent,name,seen_at}', '{}'),
    ('oauth_documents', '{client_id,fields,etag,read_at,fresh_until}', '{}'),
    ('oauth_grants', '{id,customer_id,client_id,client_name,redirect_host,scopes,resource,
      session_id,created_at,resumed_at,last_used_at,revoked_at,kept,end_reason}',
      '{interaction_hash}'),
    ('oauth_models', '{model,grant_id,client_id,account_id,consumed_at,expires_at,created_at,
      registered_by}', '{id_hash,payload,uid}'),
    ('oauth_signing_keys', '{kid,purpose,alg,created_at,signs_from,ends_at}', '{sealed}'),
    ('metric_snapshots', '{is_only,claimed_at,taken_at,samples}', '{}'),
    ('operator_keys', '{id,label,key_prefix,created_at,rotated_at,last_used_at,revoked_at}',
      '{key_hash}'),
    ('operator_sessions', '{id,operator_key_id,created_at,last_used_at,expires_at,ended_at,agent,
      address}', '{token_hash}'),
    ('ordered_dns_records', '{order_id,customer_id,change_id,actor_type,actor_label,entry_point,
      sets,created_at}', '{}'),
    ('orders', '{id,customer_id,type,domain,registry,state,currency,amount,command,attempts,
      first_sent_at,run_at,lease_until,error_code,error_detail,alarm,api_key_id,
      oauth_grant_id,created_at,updated_at,closed_at,notified_at,recheck_requested,unanswered_at,
      traceparent,quote_id,reserve_amount}',
      '{digest,fingerprints,lease_token,sealed}'),
    ('own_nameservers', '{one_row,names,provider,requeue_after}', '{}'),
    ('partitioned_tables', '{name,id_prefix,months,fillfactor,drops_empty}', '{}'),
    ('partitions', '{name,parent,starts_at,ends_at}', '{}'),
    ('passkey_challenges', '{expires_at}', '{binding,challenge}'),
    ('passkeys', '{id,customer_id,sign_count,transports,name,backed_up,created_at,last_used_at}',
      '{credential_id,public_key}'),
    ('password_links', '{id,kind,email,customer_id,tries,created_at,expires_at,answered_at,used_at,
      address}', '{token_hash,code_mac}'),
    ('passwords', '{customer_id,changed_at}', '{hash}'),
    ('payment_reversals', '{id,payment_id,kind,customer_id,currency,amount,shortfall,description,
      created_at}', '{}'),
    ('payments', '{id,customer_id,currency,amount,account,checkout_id,
      processor_checkout_session_id,processor_payment_intent_id,transfer_id,created_at}', '{}'),
    ('provider_clients', '{customer_id,registry,position,client_id,state,reconciled_at}',
      '{digest,wanted_digest}'),
    -- With its keys, the endpoint suffices to send to a browser.
    ('push_subscriptions', '{id,customer_id,session_id,service,agent,created_at,last_sent_at}',
      '{sealed,endpoint_hash,public_key}'),
    ('quotes', '{id,customer_id,type,domain,period_years,currency,amount,price,created_at,
      expires_at}', '{}'),
    ('rate_limits', '{key,window_start,used,granted}', '{}'),
    ('registry_contacts', '{contact_id,registry,registry_contact_id,synced_version,
      wanted_version}', '{}'),
    ('registry_message_keys', '{id,received_at,registry,msg_id,queued_at}', '{}'),
    -- The received frame may contain authorization information.
    ('registry_messages', '{id,received_at,registry,msg_id,queued_at,text,kind,domain,parsed,
      recognized,failures,last_error,handled_at,acked_at}', '{raw}'),
    ('sandbox_clock', '{only_row,offset_ms,updated_at}', '{}'),
    ('schedules', '{name,every_ms,next_at,lease_until,last_started_at,last_finished_at,
      last_succeeded_at,last_error,failures}', '{lease_token}'),
    ('schema_functions', '{name,version,applied_at}', '{sha256}'),
    ('schema_migrations', '{number,name,applied_at,compatible_from}', '{sha256}'),
    ('session_lease_waits', '{registry,node,since,lease_until}', '{}'),
    ('session_leases', '{registry,number,lease_id,node,taken_at,lease_until}', '{}'),
    ('sessions', '{id,customer_id,created_at,signed_in_at,last_used_at,expires_at,ended_at,agent,
      address,begun_in}', '{token_hash,oauth_uid}'),
    ('sign_in_failures', '{level,at}', '{key}'),
    ('sign_in_networks', '{customer_id,address,last_at}', '{}'),
    ('sign_ups', '{id,email,name,company_name,terms_version,address,agent,created_at,expires_at,
      answered_at,code_expires_at,tries,used_at}', '{password_hash,token_hash,code_mac}'),
    ('sso_identities', '{id,customer_id,provider,issuer,subject,email,created_at,last_used_at}',
      '{}'),
    ('sso_log_ins', '{id,provider,return_to,confirms_customer_id,created_at,expires_at,answered_at,
      issuer,subject,email,name,ticket_expires_at,ticket_used_at,customer_id,link_expires_at,
      code_expires_at,tries,linked_at}',
      '{state_hash,browser_hash,sealed,ticket_hash,link_hash,code_mac}'),
    ('support_events', '{customer_id,position,kind,message_id,reader,created_at}', '{}'),
    ('support_messages', '{id,customer_id,event,sender,operator,body,idempotency_key,created_at,
      read_at}',
      '{}'),
    ('support_stream_nodes', '{node,lease_until}', '{}'),
    ('support_streams', '{id,customer_id,node}', '{}'),
    ('support_threads', '{customer_id,last_event,last_message_at,customer_unread,operator_unread,
      waiting_since,mailed_event,operators_mailed_event,operators_mailed_at}', '{}'),
    ('sync_rounds', '{registry,reached_at,reached_id}', '{}'),
    -- The payload of a task has whatever its kind needs.
    ('tasks', '{id,kind,key,bulkhead,version,run_at,attempts,lost_leases,lease_until,last_error,
      created_at,dead_at,traceparent}', '{payload,lease_token}'),
    -- A view needs every column of its query; "tasks" has the same rows.
    ('tasks_dead', '{}', '{id,kind,key,bulkhead,attempts,last_error,created_at,dead_at}'),
    ('terms_acceptances', '{customer_id,version,accepted_at}', '{}'),
    ('tld_prices', '{currency,tld,action,registry,cost_currency,cost,price,synced_at}', '{}'),
    ('tsig_keys', '{id,domain_id,customer_id,algorithm,dns_hosts,dns_types,made_by,api_key_id,
      oauth_grant_id,expires_at,created_at}', '{sealed_secret}'),
    ('waiting_nameservers', '{domain_id,id,customer_id,nameservers,glue,api_key_id,oauth_grant_id,
      session_id,label,created_at,expires_at,checked_at}', '{}'),
    ('webhook_deliveries', '{id,webhook_id,customer_id,event_id,event_type,pos,state,attempts,
      next_at,first_failed_at,last_attempt_at,last_status,last_error,duration_ms,created_at}',
      '{}'),
    -- The URL of an endpoint may be all that protects it.
    ('webhook_secrets', '{id,webhook_id,signs_until}', '{sealed}'),
    ('webhooks', '{id,customer_id,types,description,previous_until,disabled_because,failing_since,
      created_at,updated_at,made_by,api_key_id,oauth_grant_id}',
      '{url,sealed_secret,sealed_previous_secret}'),
    ('worker_heartbeats', '{node_id,started_at,at,job_problems}', '{}'),
    ('x402_authorizations', '{id,checkout_id,customer_id,chain_id,token,payer,nonce,valid_after,
      valid_before,state,reason,transaction_id,hinted_transaction_id,submitted_at,created_at,
      updated_at}', '{sealed_signature}'),
    ('x402_offers', '{checkout_id,chain_id,token,domain_name,domain_version,created_at}', '{}'),
    ('x402_transactions', '{transaction_id,authorization_id,chain_id,wallet,gas_nonce,gas,max_fee,
      priority_fee,created_at,ended_at}', '{}'),
    ('zone_records', '{domain_id,path,host,value,ttl,created_at,updated_at}', '{}'),
    ('zones', '{name,domain_id,customer_id,nameservers,serial,state,pushed_serial,leaves_at,
      created_at,updated_at}', '{}')
  ) as list (relation, shown, secret)
$$;

-- Sets the role's grants to exactly those of the list: at each start, so that a column whose
-- classification changes is closed or opened by a restart, and a restored dump gets them again.
create or replace function grant_inspector() returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  inspector constant text := 'agent_registrar_inspector';
  target record;
begin
  for target in
    select c.oid::regclass as relation,
           bool_or(p.granted and not p.listed) as is_too_wide,
           string_agg(quote_ident(a.attname), ', ') filter (where p.listed) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join inspector_columns() i on i.relation = c.relname and not c.relispartition
     cross join lateral (
       select coalesce(a.attname = any (i.shown), false) as listed,
              has_column_privilege(inspector, c.oid, a.attnum, 'select') as granted) p
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     group by c.oid
    having bool_or(p.granted <> p.listed)
  loop
    if target.is_too_wide then
      -- This also revokes grants on single columns.
      execute format('revoke all on %s from %I, public', target.relation, inspector);
    end if;
    if target.columns is not null then
      execute format('grant select (%s) on %s to %I', target.columns, target.relation, inspector);
    end if;
  end loop;
end
$$;
