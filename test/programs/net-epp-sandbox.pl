# Exercises a registry with Net::EPP, a third-party client. Prints its observations as JSON.
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;
use Net::EPP::Frame;

my %option = @ARGV;
my $name   = $option{domain};
my %seen;

my $epp = Net::EPP::Simple->new(
    host        => $option{host},
    port        => $option{port},
    user        => $option{user},
    pass        => $option{pass},
    key         => $option{key},
    cert        => $option{cert},
    verify      => 1,
    ca_file     => $option{ca},
    timeout     => 10,
    reconnect   => 1,
    load_config => 0,
) or die "login: $Net::EPP::Simple::Error\n";

sub must {
    my ($what, $result) = @_;
    die "$what: " . ($Net::EPP::Simple::Error || "code $Net::EPP::Simple::Code") . "\n"
        unless defined $result;
    return $result;
}

$seen{greeting} = $epp->greeting->getElementsByLocalName('svID')->shift->textContent;
$seen{free}     = must('check', $epp->check_domain($name));

if ($option{model} eq 'hostObj') {
    my $id = 'perl-contact';
    must('contact:create', $epp->create_contact({
        id         => $id,
        postalInfo => {
            int => {
                name => 'Ada Perl',
                org  => 'Pearls & Sons',
                addr => {
                    street => ['1 Camel Road'],
                    city   => 'Town',
                    sp     => 'BE',
                    pc     => '12345',
                    cc     => 'DE',
                },
            },
        },
        voice    => '+49.301234567',
        fax      => '',
        email    => 'ada@example.net',
        authInfo => 'Perl-Contact-1',
    }));
    must('host:create', $epp->create_host({ name => 'ns1.example.net', addrs => [] }));
    must('domain:create', $epp->create_domain({
        name       => $name,
        period     => 2,
        registrant => $id,
        contacts   => { admin => $id, tech => $id },
        ns         => ['ns1.example.net'],
        authInfo   => 'Perl-Domain-1',
    }));
    $seen{contact} = must('contact:info', $epp->contact_info($id));
} else {
    # Net::EPP::Simple always sends a registrant, so the frame is composed by hand.
    my $frame = Net::EPP::Frame::Command::Create::Domain->new;
    $frame->setDomain($name);
    $frame->setPeriod(2);
    $frame->setNS({ name => 'ns1.example.net', addrs => [] });
    $frame->setAuthInfo('Perl-Domain-1');
    my $answer = must('domain:create', $epp->request($frame));
    die 'domain:create: ' . $answer->msg . "\n" if $answer->code != 1000;
}

$seen{taken} = must('check', $epp->check_domain($name));
$seen{info}  = must('domain:info', $epp->domain_info($name));
must('domain:update', $epp->update_domain({
    name => $name,
    add  => { status => ['clientTransferProhibited'] },
}));
$seen{renewed} = must('domain:renew', $epp->renew_domain({
    name         => $name,
    cur_exp_date => substr($seen{info}{exDate}, 0, 10),
    period       => 1,
}));
$seen{after} = must('domain:info', $epp->domain_info($name));
must('logout', $epp->logout);
print JSON::PP->new->canonical->encode(\%seen), "\n";
