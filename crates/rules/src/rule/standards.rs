//! The published entries that a rule may refer to, with their published names.
//!
//! A rule names the id only; the name comes from here, so that every finding shows the same one. Ids of other lists, or
//! of entries that these tables lack, are refused: an id that nobody can look up is worth nothing.

use tracehound_model::Standard;

use crate::reading::problem::{Complaint, shown};
use crate::reading::suggest::nearest;

/// The OWASP entry with this id. The year may be left out.
pub(super) fn owasp(id: &str) -> Result<Standard, Complaint> {
    let row = OWASP.iter().find(|(known, _)| *known == id || known.strip_suffix(":2025") == Some(id));
    row.map(standard).ok_or_else(|| {
        let message = format!("{} is not an OWASP entry", shown(id));
        let near = nearest(id, OWASP.iter().map(|(known, _)| known.split(':').next().unwrap_or(known)));
        Complaint::unknown(message, near, "they are MCP01 to MCP10, ASI01 to ASI10 and AST01 to AST10")
    })
}

/// The MITRE ATLAS technique with this id.
pub(super) fn atlas(id: &str) -> Result<Standard, Complaint> {
    let row = ATLAS.iter().find(|(known, _)| *known == id);
    row.map(standard).ok_or_else(|| {
        if is_technique_id(id) {
            Complaint::new(format!("{} is not an ATLAS technique that this version knows", shown(id)))
        } else {
            let message = format!("{} is not the id of an ATLAS technique", shown(id));
            let near = nearest(id, ATLAS.iter().map(|(known, _)| *known));
            Complaint::unknown(message, near, "such as AML.T0051 or AML.T0051.001")
        }
    })
}

fn standard((id, name): &(&str, &str)) -> Standard {
    Standard { id: (*id).to_owned(), name: (*name).to_owned() }
}

/// Whether it has the form `AML.T0000` or `AML.T0000.000`.
fn is_technique_id(id: &str) -> bool {
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    id.strip_prefix("AML.T").is_some_and(|rest| match rest.split_once('.') {
        Some((technique, part)) => digits(technique, 4) && digits(part, 3),
        None => digits(rest, 4),
    })
}

/// OWASP MCP Top 10 (2025), Top 10 for Agentic Applications (2026) and Agentic Skills Top 10 (draft of 2026-04).
const OWASP: &[(&str, &str)] = &[
    ("MCP01:2025", "Token Mismanagement & Secret Exposure"),
    ("MCP02:2025", "Privilege Escalation via Scope Creep"),
    ("MCP03:2025", "Tool Poisoning"),
    ("MCP04:2025", "Software Supply Chain Attacks & Dependency Tampering"),
    ("MCP05:2025", "Command Injection & Execution"),
    ("MCP06:2025", "Intent Flow Subversion"),
    ("MCP07:2025", "Insufficient Authentication & Authorization"),
    ("MCP08:2025", "Lack of Audit and Telemetry"),
    ("MCP09:2025", "Shadow MCP Servers"),
    ("MCP10:2025", "Context Injection & Over-Sharing"),
    ("ASI01", "Agent Goal Hijack"),
    ("ASI02", "Tool Misuse and Exploitation"),
    ("ASI03", "Identity and Privilege Abuse"),
    ("ASI04", "Agentic Supply Chain Vulnerabilities"),
    ("ASI05", "Unexpected Code Execution (RCE)"),
    ("ASI06", "Memory & Context Poisoning"),
    ("ASI07", "Insecure Inter-Agent Communication"),
    ("ASI08", "Cascading Failures"),
    ("ASI09", "Human-Agent Trust Exploitation"),
    ("ASI10", "Rogue Agents"),
    ("AST01", "Malicious Skills"),
    ("AST02", "Supply Chain Compromise"),
    ("AST03", "Over-Privileged Skills"),
    ("AST04", "Insecure Metadata"),
    ("AST05", "Unsafe Deserialization"),
    ("AST06", "Weak Isolation"),
    ("AST07", "Update Drift"),
    ("AST08", "Poor Scanning"),
    ("AST09", "No Governance"),
    ("AST10", "Cross-Platform Reuse"),
];

/// Techniques of MITRE ATLAS, data version 5.6, that agents, their tools and their credentials are exposed to.
const ATLAS: &[(&str, &str)] = &[
    ("AML.T0010.005", "AI Supply Chain Compromise: AI Agent Tool"),
    ("AML.T0011", "User Execution"),
    ("AML.T0011.002", "User Execution: Poisoned AI Agent Tool"),
    ("AML.T0012", "Valid Accounts"),
    ("AML.T0025", "Exfiltration via Cyber Means"),
    ("AML.T0034", "Cost Harvesting"),
    ("AML.T0034.002", "Cost Harvesting: Agentic Resource Consumption"),
    ("AML.T0037", "Data from Local System"),
    ("AML.T0050", "Command and Scripting Interpreter"),
    ("AML.T0051", "LLM Prompt Injection"),
    ("AML.T0051.000", "LLM Prompt Injection: Direct"),
    ("AML.T0051.001", "LLM Prompt Injection: Indirect"),
    ("AML.T0051.002", "LLM Prompt Injection: Triggered"),
    ("AML.T0053", "AI Agent Tool Invocation"),
    ("AML.T0054", "LLM Jailbreak"),
    ("AML.T0055", "Unsecured Credentials"),
    ("AML.T0056", "Extract LLM System Prompt"),
    ("AML.T0057", "LLM Data Leakage"),
    ("AML.T0061", "LLM Prompt Self-Replication"),
    ("AML.T0067", "LLM Trusted Output Components Manipulation"),
    ("AML.T0068", "LLM Prompt Obfuscation"),
    ("AML.T0069", "Discover LLM System Information"),
    ("AML.T0069.002", "Discover LLM System Information: System Prompt"),
    ("AML.T0070", "RAG Poisoning"),
    ("AML.T0071", "False RAG Entry Injection"),
    ("AML.T0073", "Impersonation"),
    ("AML.T0074", "Masquerading"),
    ("AML.T0077", "LLM Response Rendering"),
    ("AML.T0080", "AI Agent Context Poisoning"),
    ("AML.T0080.000", "AI Agent Context Poisoning: Memory"),
    ("AML.T0080.001", "AI Agent Context Poisoning: Thread"),
    ("AML.T0081", "Modify AI Agent Configuration"),
    ("AML.T0082", "RAG Credential Harvesting"),
    ("AML.T0083", "Credentials from AI Agent Configuration"),
    ("AML.T0084", "Discover AI Agent Configuration"),
    ("AML.T0084.000", "Discover AI Agent Configuration: Embedded Knowledge"),
    ("AML.T0084.001", "Discover AI Agent Configuration: Tool Definitions"),
    ("AML.T0084.002", "Discover AI Agent Configuration: Activation Triggers"),
    ("AML.T0084.003", "Discover AI Agent Configuration: Call Chains"),
    ("AML.T0085", "Data from AI Services"),
    ("AML.T0085.000", "Data from AI Services: RAG Databases"),
    ("AML.T0085.001", "Data from AI Services: AI Agent Tools"),
    ("AML.T0086", "Exfiltration via AI Agent Tool Invocation"),
    ("AML.T0091", "Use Alternate Authentication Material"),
    ("AML.T0091.000", "Use Alternate Authentication Material: Application Access Token"),
    ("AML.T0092", "Manipulate User LLM Chat History"),
    ("AML.T0094", "Delay Execution of LLM Instructions"),
    ("AML.T0096", "AI Service API"),
    ("AML.T0098", "AI Agent Tool Credential Harvesting"),
    ("AML.T0099", "AI Agent Tool Data Poisoning"),
    ("AML.T0100", "AI Agent Clickbait"),
    ("AML.T0101", "Data Destruction via AI Agent Tool Invocation"),
    ("AML.T0102", "Generate Malicious Commands"),
    ("AML.T0103", "Deploy AI Agent"),
    ("AML.T0104", "Publish Poisoned AI Agent Tool"),
    ("AML.T0105", "Escape to Host"),
    ("AML.T0108", "AI Agent"),
    ("AML.T0109", "AI Supply Chain Rug Pull"),
    ("AML.T0110", "AI Agent Tool Poisoning"),
    ("AML.T0111", "AI Supply Chain Reputation Inflation"),
    ("AML.T0112", "Machine Compromise"),
    ("AML.T0112.000", "Machine Compromise: Local AI Agent"),
    ("AML.T0112.001", "Machine Compromise: AI Artifacts"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_may_be_left_out_and_the_published_id_is_kept() {
        for id in ["MCP03", "MCP03:2025"] {
            let found = owasp(id).expect(id);
            assert_eq!((found.id.as_str(), found.name.as_str()), ("MCP03:2025", "Tool Poisoning"));
        }
        assert!(owasp("ASI01:2025").is_err());
    }

    #[test]
    fn every_technique_id_has_the_form_and_stands_once_in_order() {
        assert!(ATLAS.iter().all(|(id, _)| is_technique_id(id)));
        assert!(ATLAS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
