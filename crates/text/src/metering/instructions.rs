//! Inserts charges into the instructions of a template.

use minijinja::Value;
use minijinja::machinery::{Instruction, Instructions};

use super::costs::Charge;
use super::filters::filter_function;
use super::values::constant;

/// Returns the instructions of a template with charges before each that copies or compares.
///
/// # Errors
/// The template uses something whose cost cannot be bounded: other templates, or lists as arguments. The message says
/// which.
pub(crate) fn metered<'source>(instructions: &Instructions<'source>) -> Result<Instructions<'source>, String> {
    let mut new = Writer { out: Instructions::new(instructions.name(), instructions.source()), line: None, length: 0 };
    let mut starts = Vec::new();
    for position in 0.. {
        starts.push(new.length);
        let Some(instruction) = instructions.get(position) else { break };
        new.line = instructions.get_line(position).and_then(|line| u16::try_from(line).ok());
        new.write(instruction)?;
    }
    for position in 0..new.length {
        use Instruction::{BuildMacro, Iterate, Jump, JumpIfFalse, JumpIfFalseOrPop, JumpIfTrueOrPop};

        if let Some(
            Jump(target)
            | JumpIfFalse(target)
            | JumpIfFalseOrPop(target)
            | JumpIfTrueOrPop(target)
            | Iterate(target)
            | BuildMacro(_, target, _),
        ) = new.out.get_mut(position)
        {
            *target = starts.get(*target as usize).copied().ok_or("a jump leads nowhere")?;
        }
    }
    Ok(new.out)
}

struct Writer<'source> {
    out: Instructions<'source>,
    line: Option<u16>,
    length: u32,
}

impl<'source> Writer<'source> {
    fn add(&mut self, instruction: Instruction<'source>) {
        self.length = 1 + match self.line {
            Some(line) => self.out.add_with_line(instruction, line),
            None => self.out.add(instruction),
        };
    }

    /// Adds a call that charges for the top `count` values and leaves them where they are.
    fn charge(&mut self, charge: Charge, count: u16) {
        self.add(Instruction::CallFunction(charge.name(), Some(count)));
        self.add(Instruction::UnpackList(usize::from(count)));
    }

    /// Adds a call that replaces the top value.
    fn replace(&mut self, charge: Charge) {
        self.add(Instruction::CallFunction(charge.name(), Some(1)));
    }

    fn write(&mut self, instruction: &Instruction<'source>) -> Result<(), String> {
        use Instruction as I;

        let unpacked = || -> Result<(), String> { Err("`*` and `**` before an argument are not supported".to_owned()) };
        let mut after = None;
        match instruction {
            I::EmitRaw(text) => {
                self.add(I::LoadConst(Value::from_safe_string((*text).to_owned())));
                self.add(I::Emit);
                return Ok(());
            }
            I::LoadConst(value) => {
                self.add(I::LoadConst(constant(value)));
                return Ok(());
            }
            I::GetItem => {
                self.add(I::CallFunction(Charge::Item.name(), Some(2)));
                return Ok(());
            }
            I::ApplyFilter(name, Some(count), _) => {
                match filter_function(name) {
                    Some(function) => self.add(I::CallFunction(function, Some(*count))),
                    None => {
                        self.add(I::LoadConst(Value::from(format!("filter {name} is unknown"))));
                        self.replace(Charge::Refuse);
                    }
                }
                return Ok(());
            }
            I::ApplyFilter(_, None, _) | I::PerformTest(_, None, _) | I::CallFunction(_, None) => return unpacked(),
            I::CallMethod(_, None) | I::CallObject(None) | I::UnpackLists(_) | I::MergeKwargs(_) => return unpacked(),
            I::Include(_) | I::LoadBlocks => {
                return Err("`include`, `import` and `extends` are not supported".to_owned());
            }
            I::StringConcat => self.charge(Charge::Concat, 2),
            I::Add => {
                self.charge(Charge::Add, 2);
                after = Some(Charge::Settle);
            }
            I::Mul => {
                self.charge(Charge::Mul, 2);
                after = Some(Charge::Settle);
            }
            I::Slice => {
                self.charge(Charge::Slice, 4);
                after = Some(Charge::Settle);
            }
            I::Eq | I::Ne | I::Gt | I::Gte | I::Lt | I::Lte => self.charge(Charge::Compare, 2),
            I::CompareAndPreserve(_) => self.charge(Charge::Arguments, 2),
            I::In => self.charge(Charge::Contains, 2),
            I::BuildList(_) | I::BuildTuple(_) | I::BuildMacro(..) => after = Some(Charge::Settle),
            I::BuildMap(count) => {
                match u16::try_from(2 * count) {
                    Ok(0) => {}
                    Ok(count) => self.charge(Charge::Entries, count),
                    Err(_) => return Err("a map has more than 32767 entries".to_owned()),
                }
                after = Some(Charge::SettleMap);
            }
            I::SetAttr(_) => self.charge(Charge::SetAttribute, 2),
            I::PushLoop(_) | I::FastRecurse => self.replace(Charge::Loop),
            I::PerformTest(name, Some(count), _) if Charge::is_costly_test(name) => {
                self.charge(Charge::Arguments, *count);
            }
            I::CallFunction(_, Some(count)) | I::CallObject(Some(count)) => {
                if *count > 0 {
                    self.charge(Charge::Arguments, *count);
                }
                after = Some(Charge::Settle);
            }
            I::CallMethod(name, Some(count)) => {
                self.charge(Charge::of_method(name), *count);
                after = Some(Charge::Settle);
            }
            _ => {}
        }
        self.add(instruction.clone());
        if let Some(charge) = after {
            self.replace(charge);
        }
        Ok(())
    }
}
